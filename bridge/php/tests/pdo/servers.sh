#!/bin/sh
# PostgreSQL and MariaDB for the tests of Async\PDO: on sockets in a temporary folder, as a user who may do nothing.
#
#     servers.sh up PID        starts those that are installed, and prints the folder when they are ready
#     servers.sh down FOLDER   ends them
#
# They end with the process PID, too ("parent" is whoever calls this), so nothing is left however the tests end. In the
# folder are the sockets, .s.PGSQL.5432 and mysql.sock, and what the servers say, in log. ONLY=pgsql is for one of them.
set -eu
[ $# -eq 2 ] || [ "${1:-}" = keep ] || { echo "usage: servers.sh up PID | down FOLDER" >&2; exit 2; }

initdb=$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -n 1)
postgres=${initdb%/initdb}
mariadbd=$(PATH=$PATH:/usr/sbin command -v mariadbd || true)

[ "${ONLY:-}" != pgsql ] || mariadbd=

# As nobody, if this is root: servers do not run as root. They end with whoever has started them.
as_nobody() {
    if [ "$(id -u)" -eq 0 ]; then
        exec setpriv --pdeathsig KILL --reuid=nobody --regid=nogroup --clear-groups "$@"
    fi
    exec setpriv --pdeathsig KILL "$@"
}

# Is it ready? It is waited for as long as it runs.
until_ready() { # PROCESS COMMAND...
    process=$1
    shift
    until "$@"; do
        kill -0 "$process" 2>/dev/null || exit 1
        sleep 0.05
    done
}

end() {
    trap - EXIT
    [ -z "${pg:-}" ] || kill -QUIT "$pg" 2>/dev/null || true
    [ -z "${maria:-}" ] || kill -KILL "$maria" 2>/dev/null || true
    [ -z "${watch:-}" ] || kill "$watch" 2>/dev/null || true
    wait
    [ -e ready ] || echo failed >&8
    cd /
    rm -rf "$folder"
    exit
}

case $1 in
up)
    pid=$2
    [ "$pid" != parent ] || pid=$PPID
    folder=$(mktemp -d /tmp/asyncpool-pdo-XXXXXX) # the path of a socket must be short
    mkfifo "$folder/state"
    cp "$0" "$folder/servers.sh" # a copy of the tests may go before
    : >"$folder/log"
    exec 9<"$folder/log"
    setsid "$folder/servers.sh" keep "$pid" "$folder" >>"$folder/log" 2>&1 </dev/null 9<&- &
    read -r state <"$folder/state"
    [ "$state" = ready ] || { cat <&9 >&2; exit 1; }
    echo "$folder"
    ;;
down)
    keeper=$(cat "$2/keeper" 2>/dev/null) || exit 0
    kill "$keeper" 2>/dev/null || exit 0
    tail --pid="$keeper" -f /dev/null
    ;;
keep)
    folder=$3
    cd "$folder"
    exec 8<>state # does not wait for a reader, who may be gone
    trap end EXIT
    trap 'exit 1' TERM INT HUP
    echo $$ >keeper
    mkdir pg maria tmp
    chmod 755 .
    [ "$(id -u)" -ne 0 ] || chown nobody:nogroup . pg maria tmp
    if [ -n "$initdb" ]; then
        (as_nobody "$initdb" --pgdata=pg --username=asyncpool --auth=trust --encoding=UTF8 --locale=C --no-sync) >&2
        (as_nobody "$postgres/postgres" -D pg -k "$folder" -h "" -F -N 100) &
        pg=$!
    fi
    if [ -n "$mariadbd" ]; then
        (as_nobody mariadb-install-db --no-defaults --datadir="$folder/maria" --tmpdir="$folder/tmp" --skip-test-db \
            --auth-root-authentication-method=normal) >&2
        (as_nobody "$mariadbd" --no-defaults --datadir="$folder/maria" --tmpdir="$folder/tmp" --skip-networking \
            --socket="$folder/mysql.sock" --pid-file="$folder/maria.pid" --innodb-flush-log-at-trx-commit=0 \
            --innodb-buffer-pool-size=16M --character-set-server=utf8mb4) &
        maria=$!
        until_ready "$maria" test -S "$folder/mysql.sock"
    fi
    [ -z "${pg:-}" ] || until_ready "$pg" "$postgres/pg_isready" -q -h "$folder" -U asyncpool
    touch ready
    echo ready >&8
    tail --pid="$2" -f /dev/null &
    watch=$!
    wait "$watch"
    ;;
esac
