#!/bin/sh
# stubs.sh: the stubs, which editors read, and the package are PHP, and both say the same of all that is public: classes,
# functions, what they take and answer, and every word of their texts but what is for gen_stub.php.
set -eu
cd "$(dirname "$0")/../../.."
bad=0
php=${PHP:-php}
for file in bridge/php-ext/*.stub.php bridge/php/autoload.php $(find bridge/php/src -name '*.php'); do
    "$php" -n -l "$file" >/dev/null || bad=1
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
said() { "$php" -n bridge/php-ext/tests/stubs.php "$@"; }
public='breaker budget exceptions coroutine functions stats pool' # in an order in which each finds what it extends
# shellcheck disable=SC2046 # words
said $(printf "$PWD/bridge/php-ext/%s.stub.php\n" $public) >"$work/stubs"
# Of the package only the classes that have a stub: the rest is PHP on either binding.
classes=$(sed -n 's/^\(Async\\[A-Za-z]*\): .*/\1/p' "$work/stubs" | sort -u)
# shellcheck disable=SC2046 # words
said "$PWD/bridge/php/autoload.php" $(printf '%s\n' "$classes" | sed "s,^Async.,$PWD/bridge/php/src/,; s,$,.php,") >"$work/package"
diff -u "$work/package" "$work/stubs" || { echo "the package and the stubs differ" >&2; bad=1; }
[ "$(wc -l <"$work/stubs")" -ge 120 ] || { echo "stubs.sh has found too little" >&2; bad=1; }
exit $bad
