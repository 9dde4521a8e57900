#!/bin/sh
# stubs.sh: the stubs, which editors read, and the package are PHP, and both say the same of Async\Pool and of what it
# tells: its methods, what they take, and every word of their texts but what is for gen_stub.php.
set -eu
cd "$(dirname "$0")/../../.."
bad=0
php=${PHP:-php}
for file in bridge/php-ext/*.stub.php bridge/php/autoload.php $(find bridge/php/src -name '*.php'); do
    "$php" -n -l "$file" >/dev/null || bad=1
done
# The texts before each method and property, and its line, as far as the body.
said() {
    "$php" -r '
        $tokens = token_get_all(file_get_contents($argv[1]));
        $text = $line = "";
        $hidden = false;
        foreach ($tokens as $token) {
            [$kind, $word] = is_array($token) ? $token : [0, $token];
            if ($kind === T_DOC_COMMENT) {
                $text = $word;
                $hidden = false;
            } elseif ($kind === T_PRIVATE) {
                $hidden = true;
            } elseif ($kind === T_FUNCTION) {
                $line = "function";
            } elseif ($line !== "" && $word === "{") {
                if ($text !== "" && !$hidden) {
                    echo $text, "\n", preg_replace("/\s+/", " ", trim($line)), "\n";
                }
                $text = $line = "";
            } elseif ($word === ";" || $word === "}") {
                $text = $line = "";
            } elseif ($line !== "") {
                $line .= $word;
            }
        }' "$1" | grep -v __
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
said bridge/php/src/Pool.php >"$work/package"
said bridge/php-ext/pool.stub.php >"$work/stub"
diff -u "$work/package" "$work/stub" || { echo "Pool.php and pool.stub.php differ" >&2; bad=1; }
[ "$(grep -c '^function' "$work/stub")" -ge 15 ] || { echo "stubs.sh has found too few methods" >&2; bad=1; }
exit $bad
