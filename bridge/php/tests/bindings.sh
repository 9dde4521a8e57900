#!/bin/sh
# How many tests of Async\Pool passed with either binding, side by side, from what ctest printed.
#
#     bridge/php/tests/bindings.sh LOG PRESET
#
# A test that runs with one of them only is named.
set -eu
[ $# -eq 2 ] || { echo "usage: bindings.sh LOG PRESET" >&2; exit 2; }
awk -v preset="$2" '
BEGIN {
    word["plain"] = word["ext"] = "without opcache"
    word["jit"] = word["ext-jit"] = "with its JIT compiler"
}
match($0, /php\.[a-z-]+\.pool\.[a-z0-9_]+ /) && / sec *$/ && !/Not Run/ {
    split(substr($0, RSTART, RLENGTH - 1), name, ".")
    binding = name[2] ~ /^ext/ ? "ext" : "ffi"
    how = word[name[2]]
    ran[binding, name[4]]
    tests[binding]++
    all[name[4]]
    total[binding, how]++
    passed[binding, how] += / Passed /
}
END {
    if (!tests["ffi"] || !tests["ext"]) # this checker looks at one of them only
        exit
    printf "%-28s %15s %15s\n", "Async\\Pool, " preset, "FFI", "extension"
    for (n = split("without opcache,with its JIT compiler", hows, ","); i++ < n && total["ffi", hows[i]];)
        printf "%-28s %8d of %3d %8d of %3d\n", hows[i], passed["ffi", hows[i]], total["ffi", hows[i]],
            passed["ext", hows[i]], total["ext", hows[i]]
    for (test in all)
        if (!(("ffi", test) in ran) || !(("ext", test) in ran))
            printf "  with %s only: %s\n", ("ffi", test) in ran ? "FFI" : "the extension", test
}' "$1"
