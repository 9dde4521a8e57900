package main

import (
	"strings"
	"testing"
)

const said = `This is ApacheBench, Version 2.3 <$Revision$>

Concurrency Level:      24
Time taken for tests:   1.031 seconds
Complete requests:      9458
Failed requests:        3
   (Connect: 0, Receive: 0, Length: 3, Exceptions: 0)
Keep-Alive requests:    9455
Requests per second:    9174.92 [#/sec] (mean)
Time per request:       5.450 [ms] (mean)
`

func TestWhatWasDoneIsReadFromAb(t *testing.T) {
	if did, err := parse(said); err != nil || did.requests != 9458 || did.perSecond != 9174.92 {
		t.Errorf("read %v, %v", did, err)
	}
}

func TestARunThatFailedHasNoFigures(t *testing.T) {
	for name, output := range map[string]string{
		"nothing":       "",
		"no requests":   strings.Replace(said, "9458", "0", 1),
		"refused":       said + "Non-2xx responses:      1\n",
		"many failures": strings.Replace(said, "Failed requests:        3", "Failed requests:        99", 1),
		"cut off":       said[:strings.Index(said, "Failed")],
	} {
		if did, err := parse(output); err == nil {
			t.Errorf("%s: read %v", name, did)
		}
	}
}
