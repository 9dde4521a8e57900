#!/bin/sh
# Makes sure that what a make target needs is there.
#
#     abi/need.sh NAME...
#
# NAME is "go" or a Debian package. What is missing is installed on Debian by root, in one call of
# apt-get; elsewhere the command to run is printed and this ends with 1.
set -eu
cd "$(dirname "$0")/.."

# Is it there, from whatever source?
have() {
    case $1 in
    go) go_is_new_enough ;;
    libc6-dev) echo '#include <stdio.h>' | gcc -E - ;;
    ca-certificates) ls /etc/ssl/certs/ca-certificates.crt || ls /etc/pki/tls/certs ;;
    libclang-rt-14-dev)
        echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
            clang -fsanitize=fuzzer,address -x c - -o /dev/null
        ;;
    libsqlite3-dev) pkg-config --exists sqlite3 ;;
    libmicrohttpd-dev) pkg-config --exists libmicrohttpd ;;
    libhiredis-dev) pkg-config --exists hiredis ;;
    libpq-dev) pkg-config --exists libpq ;;
    postgresql) ls /usr/lib/postgresql/*/bin/initdb || command -v initdb ;;
    libuv1-dev) pkg-config --exists libuv ;;
    libapr1-dev) command -v apr-1-config ;;
    libaprutil1-dev) command -v apu-1-config ;;
    libaprutil1-dbd-sqlite3) ls /usr/lib/*/apr-util-1/apr_dbd_sqlite3.so ;;
    apache2-bin) command -v apache2 || ls /usr/sbin/apache2 ;;
    apache2-utils) command -v ab ;;
    php8.2-opcache) php -r 'exit(extension_loaded("Zend OPcache") ? 0 : 1);' ;;
    php8.2-cli) php -r 'exit(extension_loaded("FFI") ? 0 : 1);' ;;
    php8.2-dev) ls "$(php -r 'echo PHP_EXTENSION_DIR;')/build/run-tests.php" ;;
    php8.2-fpm) command -v php-fpm8.2 || ls /usr/sbin/php-fpm8.2 ;;
    php8.2-sqlite3) php -r 'exit(extension_loaded("pdo_sqlite") ? 0 : 1);' ;;
    php8.2-pgsql) php -r 'exit(extension_loaded("pdo_pgsql") ? 0 : 1);' ;;
    php8.2-mysql) php -r 'exit(extension_loaded("pdo_mysql") ? 0 : 1);' ;;
    php8.2-odbc) php -r 'exit(extension_loaded("pdo_odbc") ? 0 : 1);' ;;
    libsqliteodbc) ls /usr/lib/*/odbc/libsqlite3odbc.so ;;
    mariadb-server-core) command -v mariadbd || ls /usr/sbin/mariadbd ;;
    php-doctrine-dbal) ls /usr/share/php/Doctrine/DBAL ;;
    abigail-tools) command -v abidiff ;;
    universal-ctags) ctags --version | grep -q Universal ;;
    musl-tools) command -v musl-gcc ;;
    php-parser) ls /usr/share/php/PhpParser ;;
    chromium-driver) command -v chromedriver ;;
    python3-selenium) /usr/bin/python3 -c 'import selenium' ;;
    doxygen-awesome-css) ls /usr/share/doxygen-awesome-css/doxygen-awesome.css ;;
    mkdocs-material) ls /usr/share/mkdocs/themes/material ;;
    systemtap-sdt-dev) echo '#include <sys/sdt.h>' | gcc -E - ;;
    gcc-aarch64-linux-gnu) command -v aarch64-linux-gnu-gcc ;;
    g++-aarch64-linux-gnu) command -v aarch64-linux-gnu-g++ ;;
    libc6-dev-arm64-cross) echo '#include <stdio.h>' | aarch64-linux-gnu-gcc -E - ;;
    ninja-build) command -v ninja ;;
    qemu-user) command -v qemu-aarch64 ;;
    xz-utils) command -v xz ;;
    dpkg-dev) command -v dpkg-buildpackage ;;
    debhelper) command -v dh ;;
    dh-php) command -v dh_php ;;
    debian-archive-keyring) ls /usr/share/keyrings/debian-archive-keyring.gpg ;;
    php8.2-redis) php -r 'exit(extension_loaded("redis") ? 0 : 1);' ;;
    *) command -v "$1" ;;
    esac >/dev/null 2>&1
}

go_wanted=$(sed -n 's/^go //p' go.mod)

go_is_new_enough() {
    # Inside the module: a Go that fetches the version which go.mod asks for answers with that one.
    go_found=$(go env GOVERSION) || return 1
    oldest=$(printf '%s\n' "$go_wanted" "${go_found#go}" | sort -V | head -n 1)
    [ "$oldest" = "$go_wanted" ]
}

missing=
for name; do
    have "$name" || missing="$missing $name"
done
[ -n "$missing" ] || exit 0

# Debian's own Go is too old, so this one is up to the user.
case "$missing " in
*" go "*)
    echo "asyncpool: Go $go_wanted or newer is needed (https://go.dev/dl/), found:" \
        "$(go version 2>/dev/null || echo none)" >&2
    exit 1
    ;;
esac

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "asyncpool: something is missing; run this, then try again:" >&2
    echo "    sudo apt-get install -y$missing" >&2
    echo "(other systems than Debian may use other names for these packages)" >&2
    exit 1
fi

echo "asyncpool: installing with apt-get:$missing"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086 # a list of words
apt-get install -y -qq --no-install-recommends $missing >/dev/null
for name in $missing; do
    have "$name" || {
        echo "asyncpool: $name was installed but does not work" >&2
        exit 1
    }
done
