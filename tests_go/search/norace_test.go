//go:build !race

package search

const slow = false
