#!/bin/sh
# go_border.sh ROOT: C enters Go in two files alone, go.h and go.c. Called from elsewhere, a thread's first entry would
# not queue.
set -eu
cd "$1/bridge"

grep -q '^//export apgoCall$' exports.go
! grep -n 'apgo[A-Z]' ./*.c ./*.h | grep -v '^\./go\.[ch]:'
