//go:build cover

package main

import "C" // the library's exit is in cover.c

import (
	"os"
	"runtime/coverage"
)

// apgoCover writes what the Go side counted to the folder that GOCOVERDIR names. A Go program does so when it
// exits; a library has to be told.
//
//export apgoCover
func apgoCover() {
	if folder := os.Getenv("GOCOVERDIR"); folder != "" {
		_ = coverage.WriteMetaDir(folder)
		_ = coverage.WriteCountersDir(folder)
	}
}
