#!/bin/sh
# preload.sh DEMO SHIM: a program that is linked with libaprutil runs on that, and with the drop-in before it on asyncpool,
# which the drop-in finds by itself.
set -eu

# whose FILE COMMAND...: the command ends well, on the apr_reslist of FILE.
whose() {
    file=$1
    shift
    said=$("$@")
    echo "$said"
    case $said in *"/$file"*) ;; *) exit 1 ;; esac
}

whose libaprutil-1.so "$1"
whose libasyncpool-apr.so env -u ASYNCPOOL_LIBRARY LD_PRELOAD="$2" "$1"
