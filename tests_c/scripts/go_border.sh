#!/bin/sh
# go_border.sh ROOT: C enters Go in two files alone, the border and the door, and both know every export. Called
# from elsewhere, a thread's first entry would not queue.
set -eu
cd "$1/bridge"

exports=$(sed -n 's,^//export ,,p' ./*.go)
[ -n "$exports" ]
failed=0
if grep -n 'apgo[A-Z]' ./*.c ./*.h | grep -v '^\./\(go\.h\|door\.c\):'; then
    echo "calls into Go that do not go through go.h" >&2
    failed=1
fi
for export in $exports; do
    grep -q "\b$export(" door.c || { echo "door.c does not know $export" >&2; failed=1; }
    [ "$export" = apgoEnter ] || grep -q "AP_GO(.*\b$export(" go.h || { echo "go.h does not know $export" >&2; failed=1; }
done
exit $failed
