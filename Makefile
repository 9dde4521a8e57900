# Builds, tests and installs asyncpool. `make help` lists the targets.
# CMake does the same work for CMake users: see CMakeLists.txt.

PREFIX ?= /usr/local
DESTDIR ?=

# libasyncpool.so is a link to a link to the library; make looks at the time of the last.
LIBRARY := build/lib/libasyncpool.so
SOURCES := go.mod go.sum include/asyncpool/pool.h abi/build.sh abi/asyncpool.map \
	$(shell find abi bridge pool -name '*.go' ! -name '*_test.go' -o -name '*.[chS]')

CFLAGS ?= -O2 -g
EXAMPLE_COMMON := $(filter-out %_demo.c,$(wildcard examples/*.c))
EXAMPLE_FLAGS = -std=gnu11 -Wall -Wextra $(CFLAGS) -Iinclude -Lbuild/lib \
	-Wl,-rpath,'$$ORIGIN/../lib' -pthread

.PHONY: all demo demo-redis test install clean help
.PHONY: need-sqlite need-redis need-test need-cmake
.DELETE_ON_ERROR:

all: $(LIBRARY)

$(LIBRARY): $(SOURCES)
	@abi/need.sh go ca-certificates gcc libc6-dev
	abi/build.sh build/lib

demo: build/examples/sqlite_demo
	build/examples/sqlite_demo

demo-redis: build/examples/redis_demo
	build/examples/redis_demo

build/examples/sqlite_demo: examples/sqlite_demo.c $(EXAMPLE_COMMON) $(wildcard examples/*.h) $(LIBRARY) | need-sqlite
	@mkdir -p $(@D)
	$(CC) $(EXAMPLE_FLAGS) $(filter %.c,$^) -o $@ -lasyncpool $$(pkg-config --cflags --libs sqlite3)

build/examples/redis_demo: examples/redis_demo.c $(EXAMPLE_COMMON) $(wildcard examples/*.h) $(LIBRARY) | need-redis
	@mkdir -p $(@D)
	$(CC) $(EXAMPLE_FLAGS) $(filter %.c,$^) -o $@ -lasyncpool $$(pkg-config --cflags --libs hiredis)

test: need-test
	@tests_c/scripts/all.sh

# Installs what `make` built, so `make` as a user and `sudo make install` works where only the user
# has Go.
install: $(LIBRARY) | need-cmake
	@cmake -S . -B build/install -DASYNCPOOL_PREBUILT="$(CURDIR)/build/lib" \
		-DASYNCPOOL_TESTS=OFF -DASYNCPOOL_EXAMPLES=OFF \
		-DCMAKE_INSTALL_PREFIX="$(PREFIX)" -DCMAKE_INSTALL_LIBDIR=lib >/dev/null
	@cmake --build build/install >/dev/null
	DESTDIR="$(DESTDIR)" cmake --install build/install --prefix "$(PREFIX)"

clean:
	rm -rf build

need-sqlite:
	@abi/need.sh gcc libc6-dev pkg-config libsqlite3-dev

need-redis:
	@abi/need.sh gcc libc6-dev pkg-config libhiredis-dev redis-server

need-cmake:
	@abi/need.sh gcc libc6-dev cmake

need-test:
	@abi/need.sh go ca-certificates gcc g++ libc6-dev cmake pkg-config libsqlite3-dev \
		libhiredis-dev redis-server

help:
	@echo 'make             build/lib/libasyncpool.so'
	@echo 'make demo        64 threads share 8 SQLite connections'
	@echo 'make demo-redis  100 tasks share 20 Redis connections'
	@echo 'make test        every test, also under the sanitizers'
	@echo 'make install     library, header, pkg-config file and CMake package; PREFIX=, DESTDIR='
	@echo 'make clean       removes build/'
