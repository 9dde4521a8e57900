#!/bin/sh
# Links libasyncpool.so, and makes libasyncpool.a: the one place that knows how.
#
#     abi/build.sh OUTDIR [normal|static|core|asan|tsan|ubsan|fuzz|cover|helgrind]
#
# Leaves in OUTDIR the library libasyncpool.so.X.Y.Z (X.Y.Z is POOL_VERSION of the header) and the
# links libasyncpool.so.X, which programs load, and libasyncpool.so, which they are linked with;
# with `static`, the archive libasyncpool.a alone.
#
# CC, CFLAGS (-O2 -g unless they are given) and LDFLAGS of the environment are for all that is C, as everywhere; CGO_CFLAGS
# and CGO_LDFLAGS come behind. Go splits them, so a word with blanks is quoted as a whole.
set -eu

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: abi/build.sh OUTDIR [normal|static|core|asan|tsan|ubsan|fuzz|cover|helgrind]" >&2
    exit 2
fi
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
mode=${2:-normal}
cd "$root"

version=$(sed -n 's/^#define POOL_VERSION "\(.*\)"$/\1/p' include/asyncpool/pool.h)
real=libasyncpool.so.$version
soname=libasyncpool.so.${version%%.*}

# CC may have arguments, a launcher before it, and quotes around what has blanks.
cc() { eval "${CC:-gcc} \"\$@\""; }

cflags=${CFLAGS:--O2 -g}
ldflags="$cflags ${LDFLAGS:-}"
go_flags=
# A name that nobody defines is an error here, not in the program that loads the library.
undefined=-Wl,--no-undefined
case $mode in
normal | static) ;;
core)
    # The core makes every step, without the fast path: see bridge/fast.h.
    cflags="$cflags -DAP_FAST=0"
    ;;
asan)
    # Go's own switch: it also tells the leak checker where the Go heap is. The library's frames are
    # left unmarked: when a cancelled thread is unwound, gcc 12's runtime stumbles over the marks of
    # the frames that are skipped. The heap is watched, and the frames of the tests are.
    go_flags=-asan
    cflags="$cflags -fno-omit-frame-pointer --param asan-stack=0"
    # For that Go wants to know the compiler, by the name it was called by: cc says it is cc.
    if [ "$(cc -dumpmachine) $(cc -dumpfullversion)" = "$(gcc -dumpmachine) $(gcc -dumpfullversion)" ]; then
        export CC=gcc
    fi
    ;;
tsan)
    # cgo sees the flag and marks what passes between C and Go as synchronised.
    cflags="$cflags -fsanitize=thread -fno-omit-frame-pointer"
    ldflags="$ldflags -fsanitize=thread"
    ;;
cover)
    # Both sides count their lines; see tests_go/cover. gcov looks for its notes where the objects were, so
    # Go's temporary folder stays, in OUTDIR/objects. Objects from Go's cache have left no notes: a definition
    # that is different each time makes it compile anew.
    rm -rf "$out/objects"
    mkdir -p "$out/objects"
    export GOTMPDIR="$out/objects"
    cflags="-O0 -g --coverage -fprofile-update=atomic -DAP_COVER_BUILD=$$$(date +%s)"
    ldflags="-g --coverage"
    go_flags="-work -tags=cover -cover -covermode=atomic -coverpkg=./abi,./bridge/...,./pool/core"
    ;;
ubsan)
    cflags="$cflags -fsanitize=undefined -fno-sanitize-recover=undefined"
    ldflags="$ldflags -fsanitize=undefined"
    ;;
fuzz)
    # clang's AddressSanitizer, and libFuzzer's counters of coverage in the C code and in the core. They call
    # the program, which brings libFuzzer: see bridge/libfuzzer.c.
    export CC=clang
    go_flags="-asan -tags=libfuzzer -gcflags=asyncpool/...=-d=libfuzzer"
    cflags="-O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link"
    undefined=
    for name in trace_cmp1 trace_cmp2 trace_cmp4 trace_cmp8 trace_const_cmp1 trace_const_cmp2 \
        trace_const_cmp4 trace_const_cmp8 8bit_counters_init pcs_init; do
        undefined="$undefined -Wl,--wrap=__sanitizer_cov_$name"
    done
    undefined="$undefined -Wl,--wrap=__sanitizer_weak_hook_strcmp"
    ;;
helgrind)
    # The compiler names the atomic operations as for ThreadSanitizer, and helgrind is told of them instead.
    cflags="$cflags -fsanitize=thread -U__SANITIZE_THREAD__ -fno-omit-frame-pointer"
    ;;
*)
    echo "abi/build.sh: unknown mode: $mode" >&2
    exit 2
    ;;
esac

# Tracepoints, where there is sys/sdt.h (bridge/trace.h). A definition, since Go's cache does not see headers of the system
# come and go.
if echo '#include <sys/sdt.h>' | cc -E - >/dev/null 2>&1; then
    cflags="$cflags -DAP_TRACE"
fi

# A thread that is cancelled at any moment (bridge/park.c) is unwound from where it is. Of the stubs by which functions of
# other libraries are called the linker writes unwind tables for x86, and none for arm64: there, calls do without them.
case $(cc -dumpmachine) in
aarch64-*) cflags="$cflags -fno-plt" ;;
esac

# Quoted for Go, which splits this at spaces; absolute, because Go links in another folder.
link="\"-Wl,--version-script=$root/abi/asyncpool.map\""
link="$link -Wl,-soname,$soname"
# The Go runtime cannot be unloaded; dlclose() must leave it where it is.
link="$link -Wl,-z,nodelete"
link="$link -Wl,-z,relro -Wl,-z,now"
link="$link $undefined"
# The Go runtime asks for the stack's bounds at every call from another stack; bridge/ remembers them.
wrap="-Wl,--wrap=pthread_getattr_np"
# Threads of the library, the Go runtime's included, take no signals of the host: see bridge/signals.c.
wrap="$wrap -Wl,--wrap=pthread_create"
link="$link $wrap"

# The runtime stops goroutines where they call, not by SIGURG, which is the host's: see bridge/signals.c.
quiet="-X runtime.godebugDefault=asyncpreemptoff=1"

# Go's cache knows a package by its own folder, which the public headers are not in: their sum is a definition, so
# that after a change of one of them alone everything that may include it is compiled anew.
headers=$(cat include/asyncpool/*.h | cksum | tr -c '0-9\n' _)

# The debuggers and the valgrind of Debian 12 do not read all of DWARF 5 as Go writes it. A Go that has no other way any
# more goes on with that.
if GOEXPERIMENT=nodwarf5 go env GOEXPERIMENT >/dev/null 2>&1; then
    export GOEXPERIMENT=nodwarf5
fi

# A project around this one may be a workspace, which this module is not in.
export GOWORK=off
export CGO_ENABLED=1
export CGO_CFLAGS="$cflags -DAP_HEADERS=sum_$headers ${CGO_CFLAGS:-}"
export CGO_LDFLAGS="$ldflags ${CGO_LDFLAGS:-}"
# In a folder of its own, moved when it is whole: a program never sees half a library, Go links
# anew even if only the version script changed, and the header that cgo generates is left behind.
temporary=$(mktemp -d "$out/link.XXXXXX")
trap 'rm -rf "$temporary"' EXIT
if [ "$mode" = helgrind ]; then
    cc -c -O2 -g -fPIC -Wall -Wextra -o "$temporary/atomics.o" abi/helgrind/atomics.c
    ar rc "$temporary/libatomics.a" "$temporary/atomics.o" # Go names it more than once
    export CGO_LDFLAGS="$CGO_LDFLAGS $temporary/libatomics.a"
fi
if [ "$mode" = static ]; then
    go build -buildmode=c-archive -trimpath -buildvcs=false -ldflags "$quiet" -o "$temporary/whole.a" ./abi
    # One object, so that what is wrapped is wrapped here and not in the program, and all names but the public ones are its
    # own: a program may have another archive of Go beside it. DW.ref.* the objects of a program share.
    #
    # The runtime starts before the constructors of a program, as that of a shared library does, and before those of the
    # bridge that have no priority (bridge/signals.c). Its object comes last: behind it, the ld of Debian 12 for arm64 does
    # not bear thread-local variables of C.
    ar=${AR:-$(cc -print-prog-name=ar)}
    objcopy=${OBJCOPY:-$(cc -print-prog-name=objcopy)}
    mkdir "$temporary/objects"
    (cd "$temporary/objects" && "$ar" x ../whole.a)
    mv "$temporary/objects/go.o" "$temporary/go.o"
    "$objcopy" --rename-section .init_array=.init_array.00102 "$temporary/go.o"
    # shellcheck disable=SC2086 # wrap is words
    cc -r -nostdlib -Wl,-d $wrap -o "$temporary/asyncpool.o" "$temporary"/objects/*.o "$temporary/go.o"
    "$objcopy" --wildcard --keep-global-symbol='pool_*' --keep-global-symbol='DW.ref.*' \
        --rename-section .init_array=.init_array.00103 "$temporary/asyncpool.o"
    "$ar" rcsD "$temporary/libasyncpool.a" "$temporary/asyncpool.o"
    mv "$temporary/libasyncpool.a" "$out/libasyncpool.a"
    exit
fi
# shellcheck disable=SC2086 # go_flags is words
go build -buildmode=c-shared -trimpath -buildvcs=false $go_flags -ldflags "$quiet -extldflags '$link'" \
    -o "$temporary/$real" ./abi
mv "$temporary/$real" "$out/$real"
ln -sfn "$real" "$out/$soname"
ln -sfn "$soname" "$out/libasyncpool.so"
