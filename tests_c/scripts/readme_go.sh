#!/bin/sh
# readme_go.sh ROOT: the Go program in the README runs in a module beside a checkout, in each of the ways that stand
# there.
#
# A block that begins with ```go is the program, and under the same heading each block that begins with ```sh is a way
# to name the checkout, which is ../asyncpool there.
set -eu
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$root" "$work/asyncpool"

awk -v work="$work" '
    /^## / { inside = $0 == "## From Go" }
    /^```/ { block = !block; file = "" }
    inside && block && $0 == "```go" { file = work "/main.go" }
    inside && block && $0 == "```sh" { file = work "/way" ++n ".sh" }
    !/^```/ && file { print > file }' "$root/README.md"

count=0
for way in "$work"/way*.sh; do
    count=$((count + 1))
    cat "$way"
    mkdir "$work/mine"
    cp "$work/main.go" "$work/mine"
    (
        cd "$work/mine"
        sed -n 's/^go /module mine\n\n&/p' "$root/go.mod" >go.mod
        . "$way"
        GOFLAGS=-mod=readonly GOPROXY=off go run .
    )
    rm -r "$work/mine"
done
echo "$count ways"
[ "$count" -eq 2 ]
