#!/bin/sh
# guide_programs.sh ROOT LANGUAGE PAGE LIBRARY COMPILER: the program on this page of the guide compiles without a warning,
# runs, and prints what stands there. It is the first block of its language (c, cpp, go); what it prints is the first block
# of text.
set -eu
root=$1
language=$2
page=$root/$3
library=$4
compiler=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# first WORD: the first block of the page that begins with it.
first() {
    awk -v fence="\`\`\`$1" '/^```/ { block = !block && $0 == fence && !n++; next } block' "$page"
}

first "$language" >"$work/program.$language"
first text >"$work/expected"
[ -s "$work/program.$language" ] && [ -s "$work/expected" ]
cd "$work"
strict="-Wall -Wextra -Werror -I$root/include -o program program.$language $library -Wl,-rpath,$(dirname "$library") -pthread"
case $language in
c) "$compiler" -std=gnu11 $strict ;;
cpp) "$compiler" -std=c++17 $strict ;;
go)
    mv program.go main.go
    sed -n 's/^go /module mine\n\n&/p' "$root/go.mod" >go.mod
    go mod edit -require=asyncpool@v0.0.0 -replace=asyncpool="$root"
    go vet . && GOFLAGS=-mod=readonly GOPROXY=off go build -o program .
    ;;
esac
./program >printed
diff expected printed
