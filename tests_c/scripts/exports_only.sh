#!/bin/sh
# exports_only.sh NM FILE NAME: NAME is all that FILE exports.
set -eu

exported=$("$1" -D --defined-only "$2" | cut -d' ' -f3)
echo "exported:" $exported
[ "$exported" = "$3" ]
