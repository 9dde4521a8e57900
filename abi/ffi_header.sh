#!/bin/sh
# Prints include/asyncpool/pool_ffi.h: pool.h for PHP's FFI, whose parser knows neither preprocessor nor
# inline functions.
#
#     abi/ffi_header.sh >include/asyncpool/pool_ffi.h
#
# Pools, reactors, ops and all void pointers, resources among them, become uintptr_t: FFI passes an
# integer in a third of the time of a pointer, and it can be compared and be the key of an array.
set -eu
cd "$(dirname "$0")/.."
header=include/asyncpool/pool.h
soname=libasyncpool.so.$(sed -n 's/^#define POOL_VERSION "\([0-9]*\)\..*/\1/p' "$header")

cat <<END
#define FFI_SCOPE "ASYNCPOOL"
#define FFI_LIB "$soname"
/* Generated from pool.h by abi/ffi_header.sh for FFI::load() and FFI::cdef(): read pool.h instead. */
/* Pools, reactors, ops, resources and other void pointers are typed uintptr_t. */
END

# The macros that are numbers.
sed -n 's/^#define \(POOL_[A-Z_]*\) \((1u << [0-9]*)\|[0-9][0-9]*u\)$/\1 = \2,/p' "$header" | tr -d '()' |
    awk 'BEGIN { print "enum {" } { gsub(/u/, ""); print "    " $0 } END { print "};" }'

# FFI knows the names of <stdbool.h>, <stddef.h> and <stdint.h>. Where preprocessors begin new lines is
# up to them, so all are joined and cut anew.
sed -e '/^#include/d' -e '/^static inline/,/^}/d' "$header" | "${CC:-gcc}" -E -P -x c - |
    sed -e 's/\(const \)\{0,1\}\(pool_t\|pool_reactor_t\|pool_op_t\|void\) \*\([a-z*]\)/uintptr_t \3/g' \
        -e 's/\(const \)\{0,1\}\(pool_t\|pool_reactor_t\|pool_op_t\|void\) \*(/uintptr_t (/g' |
    awk '
    function put() {
        gsub(/^ +| +$/, "", line)
        if (line != "") printf "%*s%s\n", 4 * depth, "", line
        line = ""
    }
    { text = text " " $0 }
    END {
        gsub(/[ \t]+/, " ", text)
        for (i = 1; i <= length(text); i++) {
            c = substr(text, i, 1)
            if (c == "}") {
                put()
                depth--
            }
            line = line c
            if (c == "(") round++
            if (c == ")") round--
            if (round == 0 && (c == ";" || c == "{" || (c == "," && depth > 0))) put()
            if (c == "{") depth++
        }
        put()
    }'
