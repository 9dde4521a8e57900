#!/bin/sh
# layout_grows.sh FIRST NOW: what the first version has is where it was; only the structs that say their size have grown,
# and at the end. Prints what has moved.
set -eu
awk '
    FNR == NR { now[$1] = $0; next }
    $2 == "offset" && now[$1] != $0 { print "was " $0 ", is " now[$1]; bad = 1 }
    $2 == "size" {
        split(now[$1], is, " ")
        grows = $1 ~ /^pool_(config|snapshot|ask|answer|api)_t$/
        if (grows ? is[3] < $3 : is[3] != $3) { print "was " $0 ", is " now[$1]; bad = 1 }
        checked++
    }
    END { exit bad || !checked }' "$2" "$1"
