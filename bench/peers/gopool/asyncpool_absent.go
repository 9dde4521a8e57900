//go:build !gofront

package main

import "os"

// newAsyncpool ends the program with 77, "cannot be measured here": package pool has no front for Go yet.
func newAsyncpool(int) pool {
	os.Exit(77)
	return nil
}
