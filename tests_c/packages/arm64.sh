#!/bin/sh
# arm64.sh: the library for arm64, and the quick C tests of it, under qemu.
exec make --no-print-directory -C "$(dirname "$0")/../.." test-arm64
