package metrics

import (
	"bytes"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// run runs a tool in the folder of the project.
func run(t *testing.T, name string, arguments ...string) {
	t.Helper()
	command := exec.Command(name, arguments...)
	command.Dir = filepath.Join("..", "..")
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s %s\n%s", name, strings.Join(arguments, " "), output)
}

// build makes the library, and the program that uses it.
func build(t *testing.T) (program string) {
	t.Helper()
	folder := t.TempDir()
	run(t, "abi/build.sh", folder)
	program = filepath.Join(folder, "told")
	run(t, "gcc", "-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-Iinclude", "tests_go/metrics/told/main.c",
		"-o", program, "-L"+folder, "-lasyncpool", "-Wl,-rpath,"+folder)
	return program
}

func tell(t *testing.T, program string, arguments ...string) []byte {
	t.Helper()
	text, err := exec.Command(program, arguments...).Output()
	require.NoError(t, err)
	return text
}

// series reads OpenMetrics strictly: the values of all series, and the types of all metrics.
func series(t *testing.T, text []byte) (values map[string]float64, types map[string]model.MetricType) {
	t.Helper()
	values, types = map[string]float64{}, map[string]model.MetricType{}
	helps, units := map[string]bool{}, map[string]string{}
	parser := textparse.NewOpenMetricsParser(text, labels.NewSymbolTable())
	for {
		entry, err := parser.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		switch entry {
		case textparse.EntrySeries:
			_, _, value := parser.Series()
			var l labels.Labels
			parser.Labels(&l)
			require.NotContains(t, values, l.String())
			require.True(t, l.IsValid(model.UTF8Validation), l)
			values[l.String()] = value
		case textparse.EntryType:
			name, kind := parser.Type()
			require.NotContains(t, types, string(name))
			types[string(name)] = kind
		case textparse.EntryHelp:
			name, help := parser.Help()
			assert.NotEmpty(t, help)
			helps[string(name)] = true
		case textparse.EntryUnit:
			name, unit := parser.Unit()
			units[string(name)] = string(unit)
		}
	}
	assert.Equal(t, slices.Sorted(maps.Keys(types)), slices.Sorted(maps.Keys(helps)), "each has a type and a help")
	for name, unit := range units {
		assert.True(t, strings.HasSuffix(name, "_"+unit))
	}
	return values, types
}

// families reads the same as those do who know the text of Prometheus alone.
func families(t *testing.T, text []byte) map[string]*dto.MetricFamily {
	t.Helper()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	found, err := parser.TextToMetricFamilies(bytes.NewReader(text))
	require.NoError(t, err)
	return found
}

// poolsOf are the names of the pools, by the ids of those that have one.
func poolsOf(f *dto.MetricFamily) (names []string) {
	for _, m := range f.Metric {
		name := ""
		for _, l := range m.Label {
			switch l.GetName() {
			case "pool":
				name = l.GetValue() + name
			case "id":
				name += "#" + l.GetValue()
			}
		}
		names = append(names, name)
	}
	return names
}

// Shows P73.
func TestMetricsAreReadByParsersThatOthersWrote(t *testing.T) {
	program := build(t)
	text := tell(t, program)
	values, types := series(t, text)
	assert.Equal(t, "# EOF\n", string(text[len(text)-6:]))
	for name, expected := range map[string]float64{
		`{__name__="asyncpool_lends_total", pool="used"}`:                         3,
		`{__name__="asyncpool_waited_total", pool="used"}`:                        1,
		`{__name__="asyncpool_created_total", pool="used"}`:                       2,
		`{__name__="asyncpool_failed_total", pool="used"}`:                        0,
		`{__name__="asyncpool_destroyed_total", pool="used", reason="discarded"}`: 1,
		`{__name__="asyncpool_destroyed_total", pool="used", reason="closed"}`:    0,
		`{__name__="asyncpool_count", pool="used"}`:                               1,
		`{__name__="asyncpool_active", pool="used"}`:                              1,
		`{__name__="asyncpool_idle", pool="used"}`:                                0,
		`{__name__="asyncpool_max_size", pool="used"}`:                            3,
		`{__name__="asyncpool_peak_waiting", pool="used"}`:                        1,
		`{__name__="asyncpool_circuit", pool="used", state="active"}`:             1,
		`{__name__="asyncpool_circuit", pool="used", state="inactive"}`:           0,
		`{__name__="asyncpool_closed", pool="used"}`:                              0,
		`{__name__="asyncpool_wait_seconds_sum", pool="used"}`:                    0.04,
		`{__name__="asyncpool_wait_seconds_count", pool="used"}`:                  1,
		`{__name__="asyncpool_create_seconds_sum", pool="used"}`:                  2.000003,
		`{__name__="asyncpool_hold_seconds_count", pool="timed"}`:                 1,
		`{__name__="asyncpool_leaked_total", pool="timed"}`:                       0,
		`{__name__="asyncpool_lends_total", id="2", pool="twin"}`:                 0,
		`{__name__="asyncpool_lends_total", id="4", pool=""}`:                     0,
	} {
		value, found := values[name]
		assert.True(t, found, name)
		assert.Equal(t, expected, value, name)
	}
	assert.Equal(t, model.MetricTypeCounter, types["asyncpool_lends"])
	assert.Equal(t, model.MetricTypeCounter, types["asyncpool_destroyed"])
	assert.Equal(t, model.MetricTypeGauge, types["asyncpool_idle"])
	assert.Equal(t, model.MetricTypeHistogram, types["asyncpool_wait_seconds"])

	assert.NotContains(t, values, `{__name__="asyncpool_hold_seconds_count", pool="used"}`, "it is not timed")

	f := families(t, text)
	assert.Equal(t, []string{"used", "twin#2", "twin#3", "#4", "\"quoted\"\\\nand the next line", "würfel 🎲 \uFFFD\uFFFD",
		"0123456789012345678901234567890123456789012345678901234567890.", "timed"}, poolsOf(f["asyncpool_active"]))
	assert.Equal(t, []string{"timed"}, poolsOf(f["asyncpool_hold_seconds"]))
	for name, bounds := range map[string][]float64{ // the buckets of the pool that was used
		"asyncpool_wait_seconds": {0.065536}, "asyncpool_create_seconds": {4e-6, 2.097152}} {
		require.Equal(t, dto.MetricType_HISTOGRAM, f[name].GetType())
		h := f[name].Metric[0].Histogram
		assert.Equal(t, uint64(len(bounds)), h.GetSampleCount())
		var last uint64
		for i, b := range h.Bucket {
			if n := b.GetCumulativeCount(); n > last {
				require.Equal(t, last+1, n)
				assert.Equal(t, bounds[last], b.GetUpperBound())
				last = n
			}
			if i > 0 {
				assert.Greater(t, b.GetUpperBound(), h.Bucket[i-1].GetUpperBound())
			}
		}
		assert.Len(t, h.Bucket, 32)
		assert.Equal(t, uint64(len(bounds)), last)
	}

	nothing := tell(t, program, "none")
	assert.Equal(t, "# EOF\n", string(nothing))
	values, _ = series(t, nothing)
	assert.Empty(t, values)
}
