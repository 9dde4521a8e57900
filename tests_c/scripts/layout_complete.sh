#!/bin/sh
# layout_complete.sh HEADER GOLDEN: the golden file has a line for every member of every struct, and for
# every enum, that the header defines. What diff shows with < is only in the header.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The header without comments, preprocessor lines and what is written in C++ only, in one line; then cut
# at braces and semicolons that stand outside parentheses.
sed -e 's|/\*.*\*/||' "$1" | awk '
    /^[ \t]*#/ { while (/\\$/) if (getline <= 0) exit; next }
    /\/\*/ { comment = 1 }
    comment { if (/\*\//) comment = 0; next }
    { text = text " " $0 }
    END {
        n = length(text)
        for (i = 1; i <= n; i++) {
            c = substr(text, i, 1)
            if (c == "(") round++
            if (c == ")") round--
            if (round == 0 && (c == "{" || c == "}" || c == ";")) {
                print word
                print c
                word = ""
            } else
                word = word c
        }
    }' >"$work/cut"

awk '
    # The name that a declaration declares.
    function name(text) {
        if (match(text, /\(\*[a-z_0-9]+\)/))
            return substr(text, RSTART + 2, RLENGTH - 3)
        sub(/\[.*/, "", text)
        sub(/[ ]+$/, "", text)
        sub(/.*[ *]/, "", text)
        return text
    }
    /^[{};]$/ {
        if ($0 == "{") {
            if (++depth == 1) {
                kind = before ~ /struct/ ? "struct" : before ~ /enum/ ? "enum" : ""
                type = name(before)
                count = 0
            }
            if (before ~ /extern "C"/) depth--
        } else if ($0 == "}" && depth > 0) {
            if (--depth == 0 && kind != "") closing = 1
        } else if ($0 == ";") {
            if (depth == 1 && kind == "struct") members[++count] = name(before)
            if (closing) {
                # "} name_t;" of a typedef, or "};" of a struct whose typedef stands elsewhere
                if (name(before) != "") type = name(before)
                sub(/_s$/, "_t", type)
                print type
                for (i = 1; i <= count; i++) print type "." members[i]
                closing = 0
            }
        }
        before = ""
        next
    }
    { before = $0 }' "$work/cut" | LC_ALL=C sort >"$work/header"
[ -s "$work/header" ]
cut -d' ' -f1 "$2" | LC_ALL=C sort | diff "$work/header" -
