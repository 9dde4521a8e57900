#!/bin/bash
# unwinds.sh READELF OBJDUMP LIBRARY: a thread that is cancelled at any moment while it sleeps, or after a hook has left it so
# that it can be, is unwound from wherever it is: the stubs of the PLT have unwind tables, or are not used there.
set -euo pipefail

plt=$("$1" -SW "$3" | sed -nE 's/.* \.plt +PROGBITS +([0-9a-f]{16}) .*/\1/p')
[ -n "$plt" ] || { echo "unwinds.sh finds no .plt in $3"; exit 1; }
! "$1" --debug-dump=frames "$3" 2>/dev/null | grep "pc=$plt\.\." >/dev/null || exit 0

for function in sleep_on futex_sleep ap__visit put_back; do
    code=$("$2" -d --disassemble="$function" "$3" | grep -c "<$function.*>:") || true
    case $function in sleep_on | ap__visit) [ "$code" -gt 0 ] || { echo "there is no $function"; exit 1; } ;; esac
    ! "$2" -d --disassemble="$function" "$3" | grep '@plt>$' ||
        { echo "$function calls a stub that has no unwind table: see -fno-plt in abi/build.sh"; exit 1; }
done
