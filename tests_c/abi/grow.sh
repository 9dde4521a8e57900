#!/bin/sh
# grow.sh ROOT TREE: copies what the library is built from to TREE, and lets every struct that may grow have one field
# more, as a version after this one would. The library tells 77 in those that it writes, the last entry of the table
# answers it, and a 13 in a configuration is refused.
set -eu
root=$1
tree=$2
mkdir -p "$tree"
for part in go.mod go.sum abi bridge include pool; do
    rm -rf "${tree:?}/$part"
    cp -r "$root/$part" "$tree/$part"
done
rm -rf "$tree/bridge/php" "$tree/bridge/php-ext"
cd "$tree"

# change FILE EXPRESSION: sed, which must find something to do.
change() {
    cp "$1" "$1.before"
    sed -i "$2" "$1"
    if cmp -s "$1" "$1.before"; then
        echo "grow.sh: nothing changed in $1 by $2" >&2
        exit 1
    fi
    rm "$1.before"
}

header=include/asyncpool/pool.h
for struct in config snapshot stats ask answer; do
    change $header "s/^} pool_${struct}_t;/    uint64_t grown;\n&/"
done
change $header 's/^} pool_api_t;/    uint32_t (*grown)(void);\n&/'
change $header '/^#define POOL_[A-Z]*_INIT/,/^    }$/ s/^    }$/    , 0 }/'
change pool/core/op.go 's/^\tLend     uintptr .*/&\n\tGrown    uint64/'
change pool/core/op.go 's/^\tLater    int64 .*/&\n\tGrown    uint64/'
change bridge/stats.c 's/snapshot->max = st->max_size;/& snapshot->grown = 77;/'
change bridge/stats.c 's/\.peak_waiting = st->peak_waiting/& , .grown = 77/'
change bridge/op.c 's/\.turn = op->turn/.grown = 77, &/'
change bridge/config.c 's/^    if (ap__sizes_check(config->min_size, config->max_size))/    if (config->grown == 13)\n        return "grown";\n&/'
change bridge/api.c 's/^static const pool_api_t table = {/static uint32_t grown(void) { return 77; }\n&\n    .grown = grown,/'
