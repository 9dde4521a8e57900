//go:build race

package search

// slow: under the race detector everything takes many times as long, and there is little for it to find: the
// core is called by one thread.
const slow = true
