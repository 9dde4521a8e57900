#!/bin/sh
# installed_files.sh PREFIX VERSION LIBDIR DOCS [BUILT]: exactly the files of an installation are there, the man pages among
# them if they are in DOCS, and the archive if it is in BUILT, and the links point to their neighbours.
set -eu
version=$2
major=${2%%.*}
lib=$3
docs=$4
built=${5:-/nowhere}
cd "$1"

find . ! -type d | LC_ALL=C sort >"$1.found"
{
    cat <<EOF
./include/asyncpool/cpp/call.hpp
./include/asyncpool/cpp/config.hpp
./include/asyncpool/cpp/error.hpp
./include/asyncpool/cpp/hooks.hpp
./include/asyncpool/cpp/lease.hpp
./include/asyncpool/cpp/observation.hpp
./include/asyncpool/cpp/reactor.hpp
./include/asyncpool/epoll.h
./include/asyncpool/pool.h
./include/asyncpool/pool.hpp
./include/asyncpool/pool_api.h
./include/asyncpool/pool_api_check.h
./include/asyncpool/pool_ffi.h
./include/asyncpool/redis_budget.h
./include/asyncpool/redis_budget_member.h
./include/asyncpool/redis_budget_metrics.h
./include/asyncpool/redis_budget_script.h
./include/asyncpool/redis_budget_wire.h
./include/asyncpool/ucontext.h
./include/asyncpool/uv.h
./$lib/cmake/asyncpool/asyncpool-config-version.cmake
./$lib/cmake/asyncpool/asyncpool-config.cmake
./$lib/libasyncpool.so
./$lib/libasyncpool.so.$major
./$lib/libasyncpool.so.$version
./$lib/pkgconfig/asyncpool.pc
./share/asyncpool/valgrind.supp
EOF
    [ ! -e "$built/libasyncpool.a" ] || echo "./$lib/libasyncpool.a"
    [ ! -d "$docs/man/man3" ] || (cd "$docs/man/man3" && printf './share/man/man3/%s\n' pool_*.3)
} | LC_ALL=C sort >"$1.wanted"
diff "$1.wanted" "$1.found"

[ "$(readlink "$lib/libasyncpool.so")" = "libasyncpool.so.$major" ]
[ "$(readlink "$lib/libasyncpool.so.$major")" = "libasyncpool.so.$version" ]
[ -x "$lib/libasyncpool.so.$version" ]
