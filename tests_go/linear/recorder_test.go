package linear

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// recorder makes programs that record histories, of the library as it is or with a defect in it.
type recorder struct {
	name    string
	settles bool
	build   func(t *testing.T, folder string, overlay string) string
}

var recorders = []recorder{
	{name: "c", build: buildC},
	{name: "go", settles: true, build: buildGo},
}

// root is the folder of the project, as make sees it.
func root(t *testing.T) string {
	folder, err := filepath.Abs("../..")
	require.NoError(t, err)
	return folder
}

// run runs a tool in the folder of the project.
func run(t *testing.T, environment []string, name string, arguments ...string) {
	command := exec.Command(name, arguments...)
	command.Dir = root(t)
	command.Env = append(os.Environ(), environment...)
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s %s\n%s", name, strings.Join(arguments, " "), output)
}

func buildC(t *testing.T, folder, overlay string) string {
	var environment []string
	if overlay != "" {
		environment = []string{"GOFLAGS=-overlay=" + overlay}
	}
	run(t, environment, "abi/build.sh", folder)
	program := filepath.Join(folder, "record")
	run(t, nil, "gcc", "-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-Iinclude",
		"tests_go/linear/record_c/main.c", "tests_go/linear/record_c/spans.c", "-o", program,
		"-L"+folder, "-lasyncpool", "-Wl,-rpath,"+folder, "-pthread")
	return program
}

func buildGo(t *testing.T, folder, overlay string) string {
	program := filepath.Join(folder, "record")
	arguments := []string{"-C", "tests_go/linear", "build", "-o", program}
	if overlay != "" {
		arguments = append(arguments, "-overlay="+overlay)
	}
	run(t, nil, "go", append(arguments, "./record_go")...)
	return program
}

// overlay puts another text in the place of one in a file of the project, for go build.
func overlay(t *testing.T, file, old, new string) string {
	folder := t.TempDir()
	real := filepath.Join(root(t), file)
	text, err := os.ReadFile(real)
	require.NoError(t, err)
	require.Contains(t, string(text), old, "this defect is out of date")
	broken := filepath.Join(folder, filepath.Base(file))
	require.NoError(t, os.WriteFile(broken, []byte(strings.Replace(string(text), old, new, 1)), 0o666))
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{real: broken}})
	require.NoError(t, err)
	name := filepath.Join(folder, "overlay.json")
	require.NoError(t, os.WriteFile(name, list, 0o666))
	return name
}

// record runs a recorder and calls f with each history, until it says false. Its error is that of a recorder
// that did not end, or not well.
func record(t *testing.T, program string, r recorder, histories int, seed uint64, f func(*history) bool) error {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute+time.Duration(histories)*20*time.Millisecond)
	defer cancel()
	command := exec.CommandContext(ctx, program, strconv.Itoa(histories), strconv.FormatUint(seed, 10))
	command.Stderr = t.Output()
	output, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	stopped := false
	err = read(output, r.settles, func(h *history) bool {
		stopped = !f(h)
		return !stopped
	})
	if stopped {
		cancel()
		_ = command.Wait()
		return nil
	}
	if ended := command.Wait(); ended != nil {
		return ended
	}
	return err
}
