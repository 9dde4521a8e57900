#!/bin/sh
# Makes *_arginfo.h of the stubs with PHP's own gen_stub.php (Debian: php8.2-dev, php-parser).
#
#     bridge/php-ext/arginfo.sh [--check]
#
# --check changes nothing; it says which of the files are stale, and ends with 1 then.
set -eu
cd "$(dirname "$0")"
php=$(command -v "${PHP:-php}")
gen_stub=$("$php" -r 'echo PHP_EXTENSION_DIR;')/build/gen_stub.php
parser=/usr/share/php/PhpParser
[ -f "$gen_stub" ] || { echo "arginfo.sh: $gen_stub is missing (Debian: php8.2-dev)" >&2; exit 2; }
[ -d "$parser" ] || { echo "arginfo.sh: $parser is missing (Debian: php-parser)" >&2; exit 2; }

# gen_stub.php would fetch its parser from the net; it does not if it finds one beside itself.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^ *\$version = "\([0-9.]*\)";/\1/p' "$gen_stub")
mkdir -p "$work/PHP-Parser-$version/lib" "$work/stubs"
ln -s "$parser" "$work/PHP-Parser-$version/lib/PhpParser"
cp "$gen_stub" "$work/gen_stub.php"
cp ./*.stub.php "$work/stubs"
# What analysers and editors read of types gen_stub.php does not know.
sed -i -e '/^ *\* @\(param\|return\|template\)/{/@param resource /!d}' -e '/^ *\/\*\* @var /d' "$work"/stubs/*.stub.php
"$php" "$work/gen_stub.php" -f "$work/stubs" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }

code=0
for made in "$work"/stubs/*_arginfo.h; do
    if [ "${1:-}" = --check ]; then
        diff -u "$(basename "$made")" "$made" || code=1
    else
        cp "$made" .
    fi
done
exit $code
