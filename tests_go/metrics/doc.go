// Package metrics reads what pool_metrics() tells with parsers that others wrote: that of Prometheus for OpenMetrics,
// which says what is none, and that of its clients, which finds the families.
//
//	go -C tests_go/metrics test ./...
package metrics
