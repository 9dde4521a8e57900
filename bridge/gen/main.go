// Gen writes bridge/state.h: the structs and numbers of pool/core that C sees, too. "go generate ./bridge" runs it.
//
// A struct brings along those that it refers to. A field is called in C as in Go, written_so, and has the type that is
// its own in C, unless a tag says otherwise:
//
//	c:"magic"          its name
//	c:"void *data"     its declaration
//	both:"resources"   it is also one number of this name, together with what follows, eight bytes in all
//
// Comments come along, and names of Go in them become those of C. What is read is the text of the core, so that it need
// not be one that C agrees with.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// structs are those that C gets, with all that they refer to, and those that pool.h has already.
var structs = []struct{ inGo, inC string }{
	{"State", "ap_state_t"}, {"Record", "ap_record_t"}, {"Ask", "pool_ask_t"}, {"Answer", "pool_answer_t"},
}

// blocks are the constants that C gets, and those that pool.h has already: of the block that begins with first, all
// whose names begin with the prefix, or all that are exported. Their comments speak of a struct.
var blocks = []struct{ first, prefix, inC, of string }{
	{"GateClosed", "Gate", "AP_GATE_", "State"},
	{"OptionLIFO", "Option", "AP_OPTION_", "State"},
	{"EntryFree", "Entry", "AP_ENTRY_", "Entry"},
	{"EntryProbe", "Entry", "AP_ENTRY_", "Entry"},
	{"KindAcquire", "Kind", "AP_KIND_", "Op"},
	{"StepBegin", "Step", "AP_STEP_", "Op"},
	{"FlagReserved", "Flag", "AP_FLAG_", "Op"},
	{"WhyRejected", "Why", "AP_WHY_", "Op"},
	{"listNone", "list", "AP_LIST_", "Op"},
	{"PageBits", "Page", "AP_PAGE_", ""},
	{"pageSize", "page", "AP_PAGE_", ""},
	{"tickBits", "tick", "AP_TICK_", ""},
	{"leasesOfEntry", "leases", "AP_LEASES_", ""},
	{"LeaseTold", "Lease", "AP_LEASE_", ""},
	{"Never", "", "AP_", ""},
	{"AsksDestroy", "Asks", "POOL_ASKS_", ""},
	{"CountCreations", "Count", "POOL_COUNT_", ""},
	{"AskDone", "Ask", "POOL_ASK_", ""},
	{"Active", "", "POOL_CIRCUIT_", ""},
	{"OK", "", "POOL_", ""}, // the statuses; errors are POOL_ERR_
}

// spelled are names that pool.h spells in its own way.
var spelled = map[string]string{"Unavail": "UNAVAILABLE", "NoMemory": "NOMEM"}

// parse reads the files of a package, but for its tests.
func parse(folder string) (set *token.FileSet, files []*ast.File, err error) {
	set = token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, file)
	}
	return set, files, err
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: gen FOLDER_OF_THE_CORE HEADER")
		os.Exit(2)
	}
	set, files, err := parse(os.Args[1])
	var c *core
	if err == nil {
		c, err = read(set, files)
	}
	if err == nil {
		err = os.WriteFile(os.Args[2], []byte(c.header()), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
