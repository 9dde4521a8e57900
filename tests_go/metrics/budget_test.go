package metrics

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/stretchr/testify/assert"
)

// A budget's text goes before that of the pools, and both are one exposition.
func TestABudgetIsOpenMetrics(t *testing.T) {
	if exec.Command("pkg-config", "--exists", "hiredis").Run() != nil {
		t.Skip("hiredis is not installed")
	}
	folder := t.TempDir()
	program := filepath.Join(folder, "budget")
	run(t, "abi/build.sh", folder)
	run(t, "gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Iinclude", "tests_go/metrics/told/budget.c", "-o", program,
		"-L"+folder, "-lasyncpool", "-lhiredis", "-pthread", "-Wl,-rpath,"+folder)
	values, types := series(t, tell(t, program))
	value := func(metric, key string, more ...string) float64 {
		t.Helper()
		name := labels.FromStrings(append([]string{"__name__", "asyncpool_budget_" + metric, "budget", key}, more...)...).String()
		got, there := values[name]
		assert.True(t, there, name)
		return got
	}
	const orders, other = "orders", "%22a%5Cb%0A%FF%25"
	assert.EqualValues(t, 100, value("limit", orders))
	assert.EqualValues(t, 7, value("held", orders))
	assert.EqualValues(t, 6, value("used", orders))
	assert.EqualValues(t, 12, value("granted_total", orders))
	assert.EqualValues(t, 0, value("refused_total", orders))
	assert.EqualValues(t, 7.05, value("lease_left_seconds", orders))
	assert.EqualValues(t, 1, value("state", orders, "state", "fine"))
	assert.EqualValues(t, 3, value("limit", other))
	assert.EqualValues(t, 9, value("renewals_total", other))
	assert.EqualValues(t, 8, value("renewals_failed_total", other))
	assert.EqualValues(t, 0, value("lease_left_seconds", other))
	assert.EqualValues(t, 0, value("state", other, "state", "fine"))
	assert.EqualValues(t, 1, value("state", other, "state", "expired"))
	assert.Len(t, values, 2*(12+4))
	assert.Equal(t, model.MetricTypeCounter, types["asyncpool_budget_granted"])
	assert.Equal(t, model.MetricTypeGauge, types["asyncpool_budget_state"])
}
