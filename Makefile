# Builds, tests and installs asyncpool. `make help` lists the targets.
# CMake does the same work for CMake users: see CMakeLists.txt.

PREFIX ?= /usr/local
DESTDIR ?=

# Only from the command line: who builds kernels has one in the environment. Empty: this machine's.
ARCH :=
ifneq ($(filter-out arm64,$(ARCH)),)
$(error ARCH=$(ARCH): the other processor that make builds for is arm64, see docs/platforms.md)
endif
ifneq ($(if $(ARCH),$(filter-out all clean,$(MAKECMDGOALS))),)
$(error ARCH=$(ARCH) builds the library alone; make test-arm64 tests it, and CMake installs it)
endif

# libasyncpool.so is a link to a link to the library; make looks at the time of the last.
LIBRARY := build/$(addsuffix /,$(ARCH))lib/libasyncpool.so
SOURCES := go.mod go.sum $(wildcard include/asyncpool/*.h) abi/build.sh abi/asyncpool.map \
	$(shell find abi bridge pool -name '*.go' ! -name '*_test.go' -o -name '*.[chs]')

CFLAGS ?= -O2 -g
CXXFLAGS ?= -O2 -g
EXAMPLE_COMMON := examples/run.c examples/live.c examples/setup.c
EXAMPLE_HEADERS := $(wildcard examples/*.h include/asyncpool/*.h)
EXAMPLE_FLAGS = -std=gnu11 -Wall -Wextra $(CFLAGS) -Iinclude -Lbuild/lib \
	-Wl,-rpath,'$$ORIGIN/../lib' -pthread

.PHONY: all demo demo-cpp demo-redis demo-libuv demo-epoll demo-ucontext demo-metrics demo-postgres demo-postgres-c demo-fleet demo-apr demo-php php-ext check test format fuzz soak soak-fleet cover bench
.PHONY: bench-docs docs static install uninstall clean help
.PHONY: need-sqlite need-metrics need-cpp need-redis need-php need-php-ext need-libuv need-apr need-fuzz need-check need-test need-cover need-format
.PHONY: need-bench need-cmake need-docs need-postgres
.DELETE_ON_ERROR:

all: $(LIBRARY)

build/lib/libasyncpool.so: $(SOURCES)
	@abi/need.sh go ca-certificates gcc libc6-dev
	abi/build.sh build/lib

build/arm64/lib/libasyncpool.so: $(SOURCES)
	@abi/need.sh go ca-certificates gcc-aarch64-linux-gnu libc6-dev-arm64-cross
	GOARCH=arm64 CC=aarch64-linux-gnu-gcc abi/build.sh build/arm64/lib

# libasyncpool.a, which `make install` then installs: docs/platforms.md says what it cannot do.
static: build/lib/libasyncpool.a

build/lib/libasyncpool.a: $(SOURCES)
	@abi/need.sh go ca-certificates gcc libc6-dev
	abi/build.sh build/lib static

demo: build/examples/sqlite_demo
	build/examples/sqlite_demo

demo-cpp: build/examples/cpp
	build/examples/cpp

demo-metrics: build/examples/metrics
	build/examples/metrics

demo-postgres-c: build/examples/postgres
	build/examples/postgres

demo-redis: build/examples/redis_demo
	build/examples/redis_demo

demo-libuv: build/examples/libuv_demo
	build/examples/libuv_demo

demo-epoll: build/examples/epoll_demo
	build/examples/epoll_demo

demo-ucontext: build/examples/ucontext_demo
	build/examples/ucontext_demo

# Processes in C and in PHP, in turn.
FLEET := build/examples/fleet build/examples/fleet_worker examples/fleet/worker.php
demo-fleet: build/examples/fleet build/examples/fleet_worker | need-php
	$(FLEET)

# The same program twice: on libaprutil, and on the drop-in.
demo-apr: build/examples/apr_demo build/examples/libasyncpool-apr.so
	build/examples/apr_demo
	LD_PRELOAD="$(CURDIR)/build/examples/libasyncpool-apr.so" build/examples/apr_demo

demo-php: $(LIBRARY) | need-php
	php examples/php/redis.php $(COROUTINES)

demo-postgres: $(LIBRARY) | need-php-postgres
	php examples/php/postgres.php

# Async\Pool as a PHP extension: build/php-ext/asyncpool.so. PHP_EXT=linked links it with the library.
php-ext: $(LIBRARY) | need-php-ext
	bridge/php-ext/build.sh build/php-ext$(addprefix /,$(PHP_EXT)) $(PHP_EXT)

# What an example needs besides its own file: the packages that pkg-config knows, and other files.
build/examples/sqlite_demo build/examples/ucontext_demo: PACKAGES := sqlite3
build/examples/metrics: PACKAGES := sqlite3 libmicrohttpd
build/examples/redis_demo: PACKAGES := hiredis
build/examples/libuv_demo: PACKAGES := hiredis libuv
build/examples/fleet build/examples/fleet_worker: PACKAGES := hiredis
build/examples/fleet: $(wildcard examples/fleet/*.h) $(filter-out %/worker.c,$(wildcard examples/fleet/*.c))
build/examples/fleet build/examples/redis_demo build/examples/libuv_demo: examples/redis_server.c
build/examples/sqlite_demo build/examples/ucontext_demo: | need-sqlite
build/examples/metrics: | need-metrics
build/examples/redis_demo build/examples/fleet build/examples/fleet_worker: | need-redis
build/examples/postgres: PACKAGES := libpq
build/examples/postgres: $(wildcard examples/postgres/*.[ch])
build/examples/postgres: | need-postgres
build/examples/libuv_demo: | need-libuv

build/examples/cpp: examples/cpp.cpp $(shell find include -name '*.h' -o -name '*.hpp') $(LIBRARY) | need-cpp
	@mkdir -p $(@D)
	$(CXX) -std=c++17 -Wall -Wextra $(CXXFLAGS) -Iinclude $< -o $@ -Lbuild/lib -Wl,-rpath,'$$ORIGIN/../lib' -pthread \
		-lasyncpool $$(pkg-config --cflags --libs sqlite3)

build/examples/fleet_worker: examples/fleet/worker.c $(EXAMPLE_HEADERS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(EXAMPLE_FLAGS) $< -o $@ -lasyncpool $$(pkg-config --cflags --libs $(PACKAGES))

# apr_reslist of APR over asyncpool, which it does not link.
APR_FLAGS = -std=gnu11 -Wall -Wextra $(CFLAGS) -Iinclude $$(apr-1-config --includes --cppflags)

build/examples/libasyncpool-apr.so: $(filter-out %/demo.c,$(wildcard examples/apr/*.c)) $(wildcard examples/apr/*.h) \
		$(EXAMPLE_HEADERS) $(LIBRARY) | need-apr
	@mkdir -p $(@D)
	$(CC) $(APR_FLAGS) -fPIC -shared -fvisibility=hidden $(filter %.c,$^) -o $@ \
		-Wl,-rpath,'$$ORIGIN:$$ORIGIN/../lib' -lapr-1 -ldl -pthread

build/examples/apr_demo: examples/apr/demo.c | need-apr
	@mkdir -p $(@D)
	$(CC) $(APR_FLAGS) $< -o $@ -laprutil-1 -lapr-1 -ldl

build/examples/%: examples/%.c $(EXAMPLE_COMMON) $(EXAMPLE_HEADERS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(EXAMPLE_FLAGS) $(filter %.c,$^) -o $@ -lasyncpool \
		$(if $(PACKAGES),$$(pkg-config --cflags --libs $(PACKAGES)))

# What is run all the time: a part of `make test` that takes less than a minute. ONLY= is a folder, a file or a case:
# see tests_c/scripts/check.sh.
check: need-check
	@tests_c/scripts/check.sh '$(ONLY)'

test: need-test
	@tests_c/scripts/all.sh

# MINUTES= says how long, THREADS= how many threads besides loops, coroutines and hosts, SEED= what each decides.
soak: build/soak
	build/soak --minutes $(or $(MINUTES),10) $(if $(THREADS),--threads $(THREADS)) $(if $(SEED),--seed $(SEED))

build/soak: $(wildcard tests_c/soak/*.[ch]) tests_c/support/process.h $(wildcard include/asyncpool/*.h) $(LIBRARY)
	$(CC) -std=gnu11 -Wall -Wextra $(CFLAGS) -Iinclude -pthread $(filter %.c,$^) -o $@ \
		-Lbuild/lib -Wl,-rpath,'$$ORIGIN/lib' -lasyncpool -ldl

# The demo's fleet at random, with a kill each second. MINUTES= says how long.
soak-fleet: build/examples/fleet build/examples/fleet_worker | need-php
	$(FLEET) --minutes $(or $(MINUTES),10)

# How long each fuzzer runs: SECONDS= or MINUTES=, else a minute. ONLY=go or ONLY=c for one of them.
fuzz: need-fuzz
	@tests_c/scripts/fuzz.sh $(if $(MINUTES),$$(($(MINUTES) * 60)),$(or $(SECONDS),60)) $(ONLY)

# Which lines the tests reach; those that none reaches must be explained.
cover: need-test need-cover
	@tests_c/scripts/cover.sh

# The files that you have changed, or FILES=.
format: need-format
	@tests_c/scripts/format.sh $(FILES)

# Their presets have these names.
CHECKED := test-asan test-tsan test-ubsan test-core test-valgrind test-helgrind
.PHONY: $(CHECKED)
$(CHECKED): test-%: need-test
	@tests_c/scripts/all.sh $*

# The quick C tests for arm64, under an emulator of the processor.
.PHONY: test-arm64 need-arm64
test-arm64: need-arm64
	@tests_c/scripts/all.sh arm64

# QUICK=1: fewer cells, shorter. ROUNDS= and SECS= say how often and how long each cell is measured, ONLY=
# which groups, as a regular expression for the beginning of their names.
bench: $(LIBRARY) | need-bench
	@echo 'building the peers' >&2
	@$(MAKE) --no-print-directory -C bench run OPTIONS="$(if $(filter-out 0,$(QUICK)),-quick) \
		$(if $(ROUNDS),-rounds $(ROUNDS)) $(if $(SECS),-seconds $(SECS)) $(if $(ONLY),-only '$(ONLY)')"

# Makes docs/bench of what the last `make bench` measured.
bench-docs:
	go -C bench run . -docs ../docs/bench

# The site with guide, documents and reference: build/docs/html; and man pages, which `make install` then installs.
docs: | need-docs
	docs/site/build.sh build/docs

# Installs what `make` built, so `make` as a user and `sudo make install` works where only the user
# has Go.
install: $(LIBRARY) | need-cmake
	@cmake -S . -B build/install -DASYNCPOOL_PREBUILT="$(CURDIR)/build/lib" \
		-DASYNCPOOL_DOCS="$(CURDIR)/build/docs" \
		-DASYNCPOOL_STATIC=$(if $(wildcard build/lib/libasyncpool.a),ON,OFF) \
		-DASYNCPOOL_TESTS=OFF -DASYNCPOOL_EXAMPLES=OFF \
		-DCMAKE_INSTALL_PREFIX="$(PREFIX)" -DCMAKE_INSTALL_LIBDIR=lib >/dev/null
	@cmake --build build/install >/dev/null
	DESTDIR="$(DESTDIR)" cmake --install build/install --prefix "$(PREFIX)"

# What the last `make install` installed, which is to be in the same PREFIX and DESTDIR.
uninstall: | need-cmake
	DESTDIR="$(DESTDIR)" cmake -D manifest="$(CURDIR)/build/install/install_manifest.txt" -D prefix="$(PREFIX)" \
		-P cmake/uninstall.cmake

# The archive of a release: build/asyncpool-X.Y.Z.tar.xz, which is built without a network.
.PHONY: dist deb need-deb
dist:
	@abi/need.sh go ca-certificates xz-utils
	abi/dist.sh build

# Debian packages of it: build/deb.
deb: dist | need-deb
	abi/deb.sh build/asyncpool-$(shell sed -n 's/^#define POOL_VERSION "\(.*\)"$$/\1/p' include/asyncpool/pool.h).tar.xz build/deb

# What is given to others is tried as they get it. PART= is one of them: tests_c/packages/PART.sh.
.PHONY: test-packages need-packages
test-packages: need-packages
	@tests_c/packages/run.sh $(PART)

clean:
	rm -rf build

need-sqlite:
	@abi/need.sh gcc libc6-dev pkg-config libsqlite3-dev

need-metrics: need-sqlite
	@abi/need.sh libmicrohttpd-dev

need-cpp: need-sqlite
	@abi/need.sh g++

need-postgres:
	@abi/need.sh gcc libc6-dev pkg-config libpq-dev postgresql

need-redis:
	@abi/need.sh gcc libc6-dev pkg-config libhiredis-dev redis-server

need-php:
	@abi/need.sh php8.2-cli php8.2-redis redis-server

need-php-postgres:
	@abi/need.sh php8.2-cli php8.2-pgsql postgresql

need-php-ext:
	@abi/need.sh gcc libc6-dev make php8.2-cli php8.2-dev

need-libuv:
	@abi/need.sh gcc libc6-dev pkg-config libhiredis-dev libuv1-dev redis-server

need-apr:
	@abi/need.sh gcc libc6-dev libapr1-dev libaprutil1-dev

need-bench:
	@abi/need.sh go ca-certificates gcc libc6-dev libapr1-dev libaprutil1-dev make php8.2-cli php8.2-dev \
		php8.2-opcache apache2-bin apache2-utils libaprutil1-dbd-sqlite3 sqlite3

need-cmake:
	@abi/need.sh gcc libc6-dev cmake

need-fuzz:
	@abi/need.sh go ca-certificates gcc libc6-dev clang libclang-rt-14-dev

need-check: need-format
	@abi/need.sh go ca-certificates gcc g++ libc6-dev make cmake pkg-config libuv1-dev systemtap-sdt-dev php8.2-cli \
		php8.2-dev php8.2-sqlite3 php-parser

need-test: need-fuzz need-docs need-format
	@abi/need.sh go ca-certificates gcc g++ libc6-dev cmake pkg-config libsqlite3-dev \
		libmicrohttpd-dev libhiredis-dev libpq-dev libuv1-dev systemtap-sdt-dev libapr1-dev libaprutil1-dev \
		postgresql redis-server valgrind php8.2-cli php8.2-dev php8.2-redis php8.2-opcache php8.2-fpm php-parser \
		php8.2-sqlite3 php8.2-pgsql php8.2-mysql php8.2-odbc libsqliteodbc mariadb-server-core php-doctrine-dbal \
		composer abigail-tools musl-tools universal-ctags

need-arm64:
	@abi/need.sh go ca-certificates gcc libc6-dev make cmake pkg-config gcc-aarch64-linux-gnu g++-aarch64-linux-gnu \
		libc6-dev-arm64-cross qemu-user

need-deb: need-docs need-cmake
	@abi/need.sh go ca-certificates gcc g++ libc6-dev make xz-utils dpkg-dev debhelper dh-php php8.2-dev systemtap-sdt-dev

need-packages: need-deb need-arm64
	@abi/need.sh lintian debootstrap debian-archive-keyring autopkgtest piuparts \
		linkchecker chromium chromium-driver python3-selenium git ninja-build libuv1-dev abigail-tools

need-cover:
	@abi/need.sh gcovr

need-docs:
	@abi/need.sh doxygen doxygen-awesome-css mkdocs mkdocs-material

# Other versions format differently.
need-format:
	@abi/need.sh go ca-certificates gcc libc6-dev clang-format-14

help:
	@echo 'make             build/lib/libasyncpool.so'
	@echo 'make demo        64 threads share 8 SQLite connections'
	@echo 'make demo-cpp    the same in C++, with exceptions'
	@echo 'make demo-metrics  SQLite connections whose pool is scraped over HTTP'
	@echo 'make demo-postgres-c  8 connections to a PostgreSQL server that is restarted, killed, away, and stands still'
	@echo 'make demo-redis  100 tasks share 20 Redis connections'
	@echo 'make demo-libuv  the same on one thread: a libuv loop; also demo-epoll, demo-ucontext'
	@echo 'make demo-fleet  12 processes share 40 clients of a Redis server, while some are killed and the budget is lost'
	@echo 'make demo-apr    a program on APR, as it is and over asyncpool: build/examples/libasyncpool-apr.so'
	@echo 'make demo-php    100 PHP coroutines over 20 Redis connections'
	@echo 'make demo-postgres  100 PHP coroutines over 10 PostgreSQL connections, beside PDO'
	@echo 'make php-ext     build/php-ext/asyncpool.so: the class for PHP as an extension'
	@echo 'make check       the quick tests, in a minute; ONLY=release: those of a folder, a file or one case'
	@echo 'make test        every test, also under the sanitizers'
	@echo 'make soak        hundreds of threads, loops and coroutines for ten minutes; MINUTES=, THREADS=, SEED='
	@echo 'make soak-fleet  the fleet of demo-fleet for ten minutes, with a kill each second; MINUTES='
	@echo 'make fuzz        random calls of the core and of the C ABI; MINUTES=, ONLY=go, ONLY=c'
	@echo 'make cover       which lines of pool/ and bridge/ the tests reach, and why not all'
	@echo 'make test-asan   the C and PHP tests with a checker; also test-tsan, test-ubsan, test-valgrind,'
	@echo '                 test-helgrind'
	@echo 'make ARCH=arm64  build/arm64/lib/libasyncpool.so, by the cross compiler; make test-arm64: the quick'
	@echo '                 C tests of it, under qemu'
	@echo 'make format      what you have changed, by clang-format-14 and gofmt; FILES='
	@echo 'make bench       this pool and its peers side by side, in ten minutes; QUICK=1: in two'
	@echo 'make bench-docs  docs/bench, of what make bench measured last'
	@echo 'make docs        build/docs/html: guide, documents and reference, to be read offline; and man pages'
	@echo 'make test-packages  what is given to others: packages in a fresh Debian, as root, the site in a browser, every kind'
	@echo '                 of project that links the library; PART='
	@echo 'make install     library, headers, pkg-config file, CMake package, and man pages after make docs;'
	@echo '                 PREFIX=, DESTDIR=; make uninstall removes them'
	@echo 'make static      build/lib/libasyncpool.a, which make install then installs, too'
	@echo 'make dist        build/asyncpool-X.Y.Z.tar.xz: the archive of a release, which is built without a network'
	@echo 'make deb         build/deb: Debian packages of it, for Debian 12'
	@echo 'make clean       removes build/'
