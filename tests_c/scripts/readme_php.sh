#!/bin/sh
# readme_php.sh ROOT LIBRARY PHP README...: the PHP programs in the READMEs run, and print what stands there.
#
# A block that begins with ```php and <?php is a program. A block that begins with ```text right after it is
# what it prints. Each README has a program. They run in ROOT, with this library, and nothing may be on stderr.
set -eu
root=$1
library=$2
php=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"

export ASYNCPOOL_LIBRARY="$library"
LD_LIBRARY_PATH=$(dirname "$library")
export LD_LIBRARY_PATH

count=0
failed=0
for readme; do
    blocks=$work/$count
    mkdir "$blocks"
    awk -v blocks="$blocks" '
        /^```/ {
            inside = !inside
            file = ""
            if (inside && $0 == "```text" && program) printf "" > (file = program ".expected")
            if (inside) program = ""
            maybe = inside && $0 == "```php"
            next
        }
        maybe && $0 == "<?php" { file = program = sprintf("%s/%02d.php", blocks, ++n) }
        { maybe = 0 }
        file { print > file }' "$readme"
    for program in "$blocks"/*.php; do
        [ -f "$program" ] || { echo "$readme has no program"; exit 1; }
        count=$((count + 1))
        echo "--- $readme, program $(basename "$program" .php)"
        code=0
        "$php" -d error_reporting=-1 -d display_errors=stderr -d log_errors=0 "$program" \
            >"$program.out" 2>"$program.err" || code=$?
        cat "$program.out" "$program.err"
        if [ $code -ne 0 ] || [ -s "$program.err" ]; then
            echo "exit code $code, $(wc -c <"$program.err") bytes on stderr"
            failed=1
        elif [ -f "$program.expected" ] && ! diff -u "$program.expected" "$program.out"; then
            echo "$readme says that it prints something else"
            failed=1
        fi
    done
done
echo "$count programs ran"
exit $failed
