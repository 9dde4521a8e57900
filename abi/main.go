// Command abi is libasyncpool: the bridge, linked as a C shared library. See build.sh.
package main

import _ "asyncpool/bridge"

func main() {}
