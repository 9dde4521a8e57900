#!/bin/sh
# How many of the PHP tests passed with either binding, in each way that they ran, side by side, from what ctest printed.
#
#     bridge/php/tests/bindings.sh LOG PRESET
#
# A test that runs with one of them only is named, but for those of what only one of them has.
set -eu
[ $# -eq 2 ] || { echo "usage: bindings.sh LOG PRESET" >&2; exit 2; }
awk -v preset="$2" '
function cell(binding, row) {
    if (once[binding, row])
        return passed[binding, row] ? "passed" : "failed"
    return total[binding, row] ? sprintf("%d of %3d", passed[binding, row], total[binding, row]) : "-"
}
BEGIN {
    split("pool loop pdo budget doctrine library own", folders, " ")
    split("plain jit plain-revolt jit-revolt", modes, " ")
    says["pool"] = "Async\\Pool"
    says["loop"] = "coroutines"
    says["pdo"] = "Async\\PDO, PgConnection"
    says["budget"] = "Async\\RedisBudget"
    says["doctrine"] = "Doctrine DBAL"
    says["library"] = "the library by FFI"
    says["own"] = "the C API of the extension"
    says["jit"] = ", JIT compiler"
    says["plain-revolt"] = ", Revolt"
    says["jit-revolt"] = ", Revolt, JIT compiler"
}
match($0, /php(ext)?\.(plain|jit|ext)[a-z-]*\.[a-z0-9_.]+ /) && / sec *$/ && !/Not Run/ {
    n = split(substr($0, RSTART, RLENGTH - 1), name, ".")
    mode = name[2]
    binding = sub(/^ext-jit/, "jit", mode) || sub(/^ext/, "plain", mode) ? "ext" : "ffi"
    folder = name[1] == "phpext" ? "own" : name[3]
    row = folder SUBSEP mode
    once[binding, row] = n == 3 && folder != "own" # a whole folder, by one process
    total[binding, row]++
    passed[binding, row] += / Passed /
    any[binding]
    if (folder ~ /^(pool|loop|pdo|budget|doctrine)$/ && !once[binding, row]) {
        ran[binding, folder "/" name[n]]
        all[folder "/" name[n]]
    }
}
END {
    if (!("ffi" in any) || !("ext" in any)) # this checker looks at one of them only
        exit
    printf "%-50s %12s %12s\n", "PHP, " preset, "FFI", "extension"
    for (i = 1; i in folders; i++)
        for (j = 1; j in modes; j++) {
            row = folders[i] SUBSEP modes[j]
            if (total["ffi", row] || total["ext", row])
                printf "%-50s %12s %12s\n", says[folders[i]] says[modes[j]], cell("ffi", row), cell("ext", row)
        }
    for (test in all)
        if (!(("ffi", test) in ran) || !(("ext", test) in ran))
            only[("ffi", test) in ran ? "with FFI only: " test : "with the extension only: " test]
    for (line in only)
        print "  " line | "sort"
}' "$1"
