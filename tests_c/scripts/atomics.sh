#!/bin/bash
# atomics.sh ROOT: docs/platforms.md has a line for each atomic of the library and of its headers, and for no other one.
set -euo pipefail
cd "$1"

# What is declared as one, and what is used by the builtins without being declared so.
declared() {
    sed -nE 's/^ *((static|extern) |_Alignas\([0-9]+\) )*(_Atomic(\([^)]*\)| [a-z0-9_]+)|atomic_[a-z0-9]+) ([a-z_]+(, [a-z_]+)*)(\[[A-Z]+\])?;.*/\5/p' \
        bridge/*.[ch] include/asyncpool/*.h | sed 's/, /\n/g'
    grep -hoE '__atomic_[a-z_]+\(&[A-Za-z_>.-]+' bridge/*.[ch] include/asyncpool/*.h | sed -E 's/.*[(&>.]//'
}

# The first cell of each line of the table: `ap_lock_t.word`, `lead`, `spare` (`sweeper.c`).
written() {
    sed -n '/^## The order of each atomic/,/^\*\*Without atomics/p' docs/platforms.md | grep -E '^\| `' | cut -d'|' -f2 |
        grep -oE '`[A-Za-z_.]+`' | tr -d '`' | grep -vE '^[a-z_]+\.[ch]$|^(ap_pool_t|pool_reactor_t)$' | sed 's/.*\.//'
}

[ "$(declared | wc -l)" -gt 20 ] || { echo "atomics.sh finds no atomics"; exit 1; }
diff <(declared | sort -u) <(written | sort -u) ||
    { echo "< is an atomic without a line in docs/platforms.md, > a line without an atomic"; exit 1; }
