#!/bin/sh
# declared.sh HEADER: the names of the functions that the header declares, sorted.
set -eu

# Outside comments and preprocessor lines, a function is a line that begins in the first column, is
# neither a typedef nor static, and has its name before the first parenthesis.
awk '
    /^[ \t]*\/\*/ { comment = 1 }
    comment { if (/\*\//) comment = 0; next }
    /^[a-z].*[ *]pool_[a-z0-9_]+\(/ && !/^typedef/ && !/^static/ {
        sub(/\(.*/, "")
        sub(/.*[ *]/, "")
        print
    }' "$1" | LC_ALL=C sort
