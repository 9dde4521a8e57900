#!/bin/bash
# Everybody who links with asyncpool, each as a project outside of this one: part `consumers` of `make test-packages`.
#
#     tests_c/packages/consumers.sh [CASE...]
#
# A case is a function below. All work below build/packages/consumers; nothing is fetched from elsewhere.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
here=$root/tests_c/packages
outside=$root/tests_c/outside
work=$root/build/packages/consumers
tree=$work/tree               # a build of the project
prefix="$work/moved here/usr" # where it lies in the end; names have blanks
version=$(sed -n 's/^#define POOL_VERSION "\(.*\)"$/\1/p' include/asyncpool/pool.h)
export GOPROXY=off

cases="install find_package components build_tree pkg_config archive_names archive_beside archive_plugin
    flags_reach_go fetch_folder fetch_archive build_types cross uninstall_by_cmake uninstall_by_make quick_tests"

quiet() { "$@" >"$work/log" 2>&1 || { tail -n 40 "$work/log"; return 1; }; }

# has FILE TEXT
has() { grep -qF -- "$2" "$1" || { echo "$1 does not say: $2"; tail -n 20 "$1"; return 1; }; }

lacks() {
    if grep -F -- "$2" "$1"; then
        echo "$1 says so"
        return 1
    fi
}

# refused TEXT COMMAND...: it fails, and says so.
refused() {
    local text=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "is not refused: $*"
        return 1
    fi
    tr -s ' \n' ' ' <"$work/log" >"$work/words" # CMake breaks lines
    has "$work/words" "$text"
}

# project NAME SOURCE OPTION...: configures it anew, builds it, runs its tests.
project() {
    local folder=$work/$1 source=$2
    shift 2
    rm -rf "$folder"
    quiet cmake -S "$source" -B "$folder" "$@"
    quiet cmake --build "$folder" -j 2
    (cd "$folder" && ctest --no-tests=error ${config:+-C $config} --output-on-failure) | grep -E 'Passed|Failed|tests passed'
}

# --- an installed library -------------------------------------------------------------------------

# Staged as packagers do it, to a prefix with a blank, and then moved.
install() {
    rm -rf "$work/stage" "$work/moved here"
    quiet cmake -S . -B "$tree" -DASYNCPOOL_STATIC=ON -DASYNCPOOL_TESTS=OFF -DASYNCPOOL_EXAMPLES=OFF \
        -DCMAKE_INSTALL_LIBDIR=lib
    quiet cmake --build "$tree"
    DESTDIR="$work/stage" quiet cmake --install "$tree" --prefix "/opt/async pool"
    [ ! -e "/opt/async pool" ]
    mkdir "$work/moved here"
    mv "$work/stage/opt/async pool" "$prefix"
    tests_c/scripts/installed_files.sh "$prefix" "$version" lib "$tree/docs" "$tree/lib"
    [ -z "$(find "$work/stage" ! -type d)" ]
}

find_package() {
    project find_package "$here/package" -DCMAKE_PREFIX_PATH="$prefix" -DCOMPONENTS="headers;shared;static"
    ldd "$work/find_package/shared" | grep -F "=> $prefix/"
    ldd "$work/find_package/static" >"$work/log"
    lacks "$work/log" asyncpool
}

components() {
    rm -rf "$work/components"
    refused 'no component "wheels": they are headers, shared and static' \
        cmake -S "$here/package" -B "$work/components" -DCMAKE_PREFIX_PATH="$prefix" -DCOMPONENTS="shared;wheels"
    mv "$prefix/lib/libasyncpool.a" "$work"
    refused "built without its archive, which -D ASYNCPOOL_STATIC=ON makes" \
        cmake -S "$here/package" -B "$work/components" -DCMAKE_PREFIX_PATH="$prefix" -DCOMPONENTS=static
    quiet cmake -S "$here/package" -B "$work/components" -DCMAKE_PREFIX_PATH="$prefix" -DCOMPONENTS=
    mv "$work/libasyncpool.a" "$prefix/lib"
    refused 'compatible with requested version' \
        cmake -S "$here/package" -B "$work/components" -DCMAKE_PREFIX_PATH="$prefix" -DWANTED=2.0
}

build_tree() {
    project build_tree "$here/package" -Dasyncpool_DIR="$tree" -DCOMPONENTS="shared;static"
    ldd "$work/build_tree/shared" | grep -F "=> $tree/lib/"
}

# built COMMAND: it makes "$work/program", which runs. Blanks in paths are quoted by pkg-config, for eval.
built() {
    eval "$1 -o '$work/program'"
    "$work/program"
}

pkg_config() {
    export PKG_CONFIG_LIBDIR="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"
    local flags libs all
    flags=$(pkg-config --cflags asyncpool)
    libs=$(pkg-config --libs asyncpool)
    all=$(pkg-config --static --libs asyncpool)
    built "cc $outside/outside.c $flags $libs"
    built "c++ -std=c++17 $outside/outside.cpp $flags $libs"
    ldd "$work/program" | grep -F "=> $prefix/"
    unset LD_LIBRARY_PATH
    built "cc -static $outside/outside.c $flags $all"
    built "cc -static-pie $outside/outside.c $flags $all"
    built "c++ -std=c++17 -static $outside/outside.cpp $flags $all"
    built "cc $outside/outside.c $flags $(pkg-config --variable=libdir asyncpool)/libasyncpool.a -pthread"
    ldd "$work/program" >"$work/log"
    lacks "$work/log" asyncpool
}

# --- the archive ----------------------------------------------------------------------------------

# The public names, and what all objects of a program share.
archive_names() {
    nm -g --defined-only "$tree/lib/libasyncpool.a" | awk 'NF == 3 && $3 !~ /^DW\.ref\./ { print $3 }' | sort >"$work/names"
    sed -n 's/^T \(.*\)@@.*/\1/p' abi/symbols.txt | sort | diff - "$work/names"
}

archive_beside() {
    quiet go build -buildmode=c-archive -trimpath -buildvcs=false -o "$work/second.a" ./tests_c/process/second_go
    for flags in "" "-static"; do
        # shellcheck disable=SC2086 # words
        cc $flags -Iinclude "$here/archive/beside.c" "$here/archive/plugin.c" "$tree/lib/libasyncpool.a" "$work/second.a" \
            -o "$work/beside"
        "$work/beside"
    done
}

# Closed and opened; not without what keeps it there; two at once only with room for their thread-local storage.
archive_plugin() {
    local with="-shared -fPIC -Iinclude $here/archive/plugin.c $tree/lib/libasyncpool.a" code=0
    cc "$here/archive/host.c" -o "$work/host"
    # shellcheck disable=SC2086 # words
    cc $with -Wl,-z,nodelete -o "$work/plugin.so"
    "$work/host" 100 "$work/plugin.so"
    # shellcheck disable=SC2086 # words
    cc $with -o "$work/unloaded.so"
    timeout 60 "$work/host" 3 "$work/unloaded.so" || code=$?
    [ $code -ne 0 ] # else platforms.md can promise more
    cp "$work/plugin.so" "$work/second.so"
    refused "cannot allocate memory in static TLS block" "$work/host" 20 "$work/plugin.so" "$work/second.so"
    GLIBC_TUNABLES=glibc.rtld.optional_static_tls=4096 "$work/host" 20 "$work/plugin.so" "$work/second.so"
}

# The quick C tests, whose programs link the archive.
quick_tests() {
    quiet tests_c/scripts/all.sh static
    tail -n 1 "$work/log"
}

# --- a guest of another project -------------------------------------------------------------------

# A compiler and a launcher that write down what they are called with, a definition with a blank, and macros in what the
# debugger reads; warnings and a language that the library does not bear stay outside.
flags_reach_go() {
    mkdir -p "$work/tool box"
    printf '#!/bin/sh\necho "$@" >>"%s"\nexec cc "$@"\n' "$work/compiler.log" >"$work/tool box/cc"
    printf '#!/bin/sh\necho "$@" >>"%s"\nexec "$@"\n' "$work/launcher.log" >"$work/tool box/launch"
    chmod +x "$work/tool box/cc" "$work/tool box/launch"
    rm -f "$work/compiler.log" "$work/launcher.log"
    project flags "$here/guest" -DHOW=add_subdirectory -DASYNCPOOL="$root" -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_C_COMPILER="$work/tool box/cc" -DCMAKE_C_COMPILER_LAUNCHER="$work/tool box/launch" \
        -DCMAKE_C_FLAGS="-g3 -DSAID_$$=1 '-DSAID=two words' -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wno-error" \
        -DCMAKE_C_FLAGS_DEBUG=-O1 -DCMAKE_SHARED_LINKER_FLAGS=-Wl,--build-id=0x1234abcd
    grep -F 'lend.c' "$work/compiler.log" >"$work/calls" # of a file of the library
    has "$work/calls" "-DSAID_$$=1"
    has "$work/launcher.log" "tool box/cc"
    readelf --debug-dump=macro "$work/flags/asyncpool/lib/libasyncpool.so" >"$work/macros" 2>/dev/null
    has "$work/macros" "SAID two words"
    has "$work/macros" "SAID_$$ 1"
    readelf -n "$work/flags/asyncpool/lib/libasyncpool.so" >"$work/notes" 2>/dev/null
    has "$work/notes" "1234abcd"
    readelf --debug-dump=macro "$work/flags/asyncpool/lib/libasyncpool.a" >"$work/macros" 2>/dev/null
    has "$work/macros" "SAID_$$ 1"

    # What was built is built anew with other flags, and not with the same.
    quiet cmake -DCMAKE_C_FLAGS_DEBUG=-O2 "$work/flags"
    quiet cmake --build "$work/flags"
    has "$work/log" "Linking libasyncpool.so"
    quiet cmake "$work/flags"
    quiet cmake --build "$work/flags"
    lacks "$work/log" "Linking libasyncpool.so"

    # The project installs itself, and the library beside it if it likes.
    rm -rf "$work/guest"
    quiet cmake --install "$work/flags" --prefix "$work/guest"
    (cd "$work/guest" && find . ! -type d | LC_ALL=C sort) >"$work/found"
    printf '%s\n' ./bin/shared ./lib/cmake/lending/lending-debug.cmake ./lib/cmake/lending/lending.cmake \
        ./lib/libasyncpool.so.1 "./lib/libasyncpool.so.$version" ./lib/liblending.a | diff - "$work/found"
}

fetch_folder() { project fetch_folder "$here/guest" -DHOW=FetchContent -DASYNCPOOL="$root"; }

# What git has, in an archive.
fetch_archive() {
    git ls-files -z | tar --null --files-from=- --transform="s|^|asyncpool-$version/|" -czf "$work/asyncpool.tar.gz"
    project fetch_archive "$here/guest" -DHOW=FetchContent -DASYNCPOOL="$work/asyncpool.tar.gz" -DASYNCPOOL_INSTALL=ON
    quiet cmake --install "$work/fetch_archive" --prefix "$work/fetched"
    [ -e "$work/fetched/include/asyncpool/pool.h" ]
    [ -e "$work/fetched/lib/cmake/lending/lending.cmake" ]
}

# A generator of several: each with its flags.
build_types() {
    local folder=$work/build_types type
    rm -rf "$folder"
    quiet cmake -S "$here/guest" -B "$folder" -G "Ninja Multi-Config" -DHOW=add_subdirectory -DASYNCPOOL="$root" \
        -DCMAKE_C_FLAGS_DEBUG="-g3 -DSAID=debug" -DCMAKE_C_FLAGS_RELEASE="-g3 -O3 -DSAID=release"
    for type in Debug Release; do
        quiet cmake --build "$folder" --config $type
        (cd "$folder" && ctest -C $type) | grep 'tests passed'
        readelf --debug-dump=macro "$folder/asyncpool/lib/$type/libasyncpool.so" >"$work/macros" 2>/dev/null
        has "$work/macros" "SAID ${type,}"
        "$folder/$type/shared"
        ldd "$folder/$type/shared" | grep -F "lib/$type/libasyncpool.so"
    done
}

# For another processor; runs where there is an emulator.
cross() {
    command -v aarch64-linux-gnu-g++ >/dev/null || { echo "skipped: no aarch64-linux-gnu-g++"; return 0; }
    local folder=$work/cross program
    rm -rf "$folder"
    quiet cmake -S "$here/guest" -B "$folder" --toolchain "$root/cmake/aarch64-linux-gnu.cmake" -DHOW=add_subdirectory \
        -DASYNCPOOL="$root"
    quiet cmake --build "$folder"
    for program in shared static; do
        readelf -h "$folder/$program" | grep Machine | grep AArch64
        command -v qemu-aarch64 >/dev/null || { echo "not run: no qemu-aarch64"; continue; }
        qemu-aarch64 -L /usr/aarch64-linux-gnu "$folder/$program"
    done
}

# --- away again -----------------------------------------------------------------------------------

# left FOLDER: what is in it but the folders right below, and what was there before.
left() { find "$1" -mindepth 1 ! -path "$1/lib" ! -path "$1/include" ! -path "$1/share" ! -name others.h; }

uninstall_by_cmake() {
    local to="$work/un installed"
    rm -rf "$to"
    mkdir -p "$to/include/asyncpool"
    touch "$to/include/asyncpool/others.h"
    quiet cmake --install "$tree" --prefix "$to"
    [ -e "$to/lib/libasyncpool.a" ]
    quiet cmake --build "$tree" --target uninstall
    [ -e "$to/include/asyncpool/others.h" ]
    rm -r "$to/include/asyncpool"
    left "$to" | diff /dev/null -
    quiet cmake --build "$tree" --target uninstall # there is nothing any more
    has "$work/log" "Not there: $to/lib/libasyncpool.a"
}

uninstall_by_make() {
    rm -rf "$work/stage"
    quiet make static
    quiet make install PREFIX=/opt/asyncpool DESTDIR="$work/stage"
    [ -e "$work/stage/opt/asyncpool/lib/libasyncpool.a" ]
    refused "What was installed last is in /opt/asyncpool, not in /opt/other" \
        make uninstall PREFIX=/opt/other DESTDIR="$work/stage"
    quiet make uninstall PREFIX=/opt/asyncpool DESTDIR="$work/stage"
    left "$work/stage/opt/asyncpool" | diff /dev/null -
}

# --------------------------------------------------------------------------------------------------

mkdir -p "$work"
if [ $# -eq 1 ]; then
    case " $(echo $cases) " in
    *" $1 "*) "$1" ;;
    *) echo "no such case: $1; there are $(echo $cases)" >&2; exit 2 ;;
    esac
    exit
fi
logs=$work/logs
. tests_c/scripts/stages.sh
for case in ${*:-$cases}; do
    check "consumers, $case" "$here/consumers.sh" "$case"
done
sum_up
