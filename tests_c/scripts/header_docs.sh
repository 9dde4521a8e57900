#!/bin/sh
# header_docs.sh HEADER SYMBOLS: each exported function has, directly before its declaration, a comment
# that begins with its name and has every label of the form once, in order, with a text.
set -eu

sed -n 's/^T \(.*\)@@.*/\1/p' "$2" | awk -v header="$1" '
    BEGIN {
        wanted = "Ownership Threading Re-entrancy Blocking Returns Since"
        while ((getline line < header) > 0) {
            if (line == "/**") {
                inside = 1
                labels = ""
                title = ""
            } else if (inside && line == " */") {
                inside = 0
                fresh = 1
            } else if (inside && match(line, /^ \* [A-Z][a-z-]+:[ ]+[^ ]/)) {
                label = substr(line, 4)
                sub(/:.*/, "", label)
                labels = labels (labels == "" ? "" : " ") label
            } else if (inside && title == "") {
                title = line
            } else if (!inside && fresh) {
                # The line right after the comment: the declaration.
                if (match(line, /pool_[a-z0-9_]+\(/)) {
                    name = substr(line, RSTART, RLENGTH - 1)
                    found[name] = labels
                    titles[name] = title
                }
                fresh = 0
            }
        }
    }
    {
        checked++
        if (!($1 in found)) {
            print $1 ": no comment directly before its declaration"
            bad = 1
        } else if (index(titles[$1], " * " $1 " - ") != 1) {
            print $1 ": the comment does not begin with \"" $1 " - \""
            bad = 1
        } else if (found[$1] != wanted) {
            print $1 ": has \"" found[$1] "\", expected \"" wanted "\""
            bad = 1
        }
    }
    END {
        if (!checked)
            print "no exported function to check"
        exit bad || !checked
    }'
