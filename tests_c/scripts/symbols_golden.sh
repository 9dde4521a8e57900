#!/bin/sh
# symbols_golden.sh NM LIBRARY GOLDEN: the library exports what the golden list says, no more, no less.
#
# After a change that is meant:
#     nm -D --defined-only build/lib/libasyncpool.so | cut -d' ' -f2- | LC_ALL=C sort >abi/symbols.txt
set -eu

"$1" -D --defined-only "$2" | cut -d' ' -f2- | LC_ALL=C sort | diff "$3" -
