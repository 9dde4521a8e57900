#!/bin/sh
# The package as a project gets it from Composer, by a link and by a copy, without network: where the library is found,
# and what is said where it is not. With EXTENSION the project has that, too, and the package beside it.
#
#     bridge/php/tests/composer.sh LIBRARY [EXTENSION]
set -eu
[ $# -ge 1 ] || { echo "usage: composer.sh LIBRARY [EXTENSION]" >&2; exit 2; }
library=$(realpath "$1")
extension=${2:+$(realpath "$2")}
root=$(cd "$(dirname "$0")/../../.." && pwd)
composer=$(command -v composer) || { echo "composer.sh: there is no composer (Debian: composer)" >&2; exit 77; }
php=$(command -v "${PHP:-php}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work/home" COMPOSER_HOME="$work/home" COMPOSER_ALLOW_SUPERUSER=1 COMPOSER_DISABLE_NETWORK=1
export COMPOSER_NO_INTERACTION=1
unset ASYNCPOOL_LIBRARY LD_LIBRARY_PATH
mkdir "$HOME"

# A checkout, in which the library was built.
mkdir -p "$work/asyncpool/bridge" "$work/asyncpool/build/lib"
cp -R "$root/bridge/php" "$work/asyncpool/bridge/php"
cp "$library" "$work/asyncpool/build/lib/libasyncpool.so.1"
"$php" "$composer" validate --no-check-publish -d "$work/asyncpool/bridge/php"

# project NAME LINK: a project that has the package by a link (true) or by a copy (false).
project() {
    mkdir "$work/$1"
    cat >"$work/$1/composer.json" <<JSON
{
    "repositories": [
        {"type": "path", "url": "$work/asyncpool/bridge/php", "options": {"symlink": $2}},
        {"packagist.org": false}
    ],
    "require": {"asyncpool/asyncpool": "@dev", "ext-asyncpool": "^1.0"}
}
JSON
    "$php" "$composer" install -q -d "$work/$1"
    cat >"$work/$1/main.php" <<'PHP'
<?php
require __DIR__ . '/vendor/autoload.php';
try {
    $pool = new Async\Pool(factory: fn() => 'lent');
    $native = (new ReflectionClass($pool))->isInternal() ? ', natively' : '';
    echo Async\await(Async\spawn(fn() => $pool->acquire())), "$native\n";
} catch (Async\AsyncException $error) {
    echo $error->getMessage(), "\n";
}
PHP
}
# says TEXT COMMAND...: the command prints this at the beginning of a line.
says() {
    text=$1
    shift
    said=$("$@" 2>&1) || true
    case $said in
    "$text"*) echo "$* -> $text" ;;
    *) echo "$*: expected \"$text...\", and it says: $said"; exit 1 ;;
    esac
}

if [ -n "$extension" ]; then
    mkdir "$work/ini"
    echo "extension=$extension" >"$work/ini/asyncpool.ini"
    export PHP_INI_SCAN_DIR=":$work/ini"
    project beside true
    says 'lent, natively' env ASYNCPOOL_LIBRARY="$library" "$php" "$work/beside/main.php"
    exit
fi

project linked true
[ -L "$work/linked/vendor/asyncpool/asyncpool" ] || { echo "composer has made no link"; exit 1; }
says lent "$php" "$work/linked/main.php"

project copied false
[ ! -L "$work/copied/vendor/asyncpool/asyncpool" ] || { echo "composer has made a link"; exit 1; }
if ! ldconfig -p 2>/dev/null | grep -q 'libasyncpool\.so\.1 '; then # else that of the system is found
    says "asyncpool: cannot use the library libasyncpool.so.1: Failed loading 'libasyncpool.so.1'" \
        "$php" "$work/copied/main.php"
    case $said in
    *"; install it (make install, then ldconfig), or name its file by the environment variable ASYNCPOOL_LIBRARY "*) ;;
    *) echo "it does not say what to do: $said"; exit 1 ;;
    esac
fi
says lent env ASYNCPOOL_LIBRARY="$library" "$php" "$work/copied/main.php"
says lent env LD_LIBRARY_PATH="$work/asyncpool/build/lib" "$php" "$work/copied/main.php"

# The preload script of the copy; where there is no opcache it does nothing.
says lent env ASYNCPOOL_LIBRARY="$library" "$php" -d opcache.enable_cli=1 -d opcache.preload_user="$(id -un)" \
    -d opcache.preload="$work/copied/vendor/asyncpool/asyncpool/preload.php" "$work/copied/main.php"
