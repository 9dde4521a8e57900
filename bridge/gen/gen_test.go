package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// theCore is package pool/core, whose files may be changed and read again.
type theCore struct {
	set   *token.FileSet
	files []*ast.File
}

func parseCore(t *testing.T) theCore {
	t.Helper()
	set, files, err := parse("../../pool/core")
	if err != nil {
		t.Fatal(err)
	}
	return theCore{set, files}
}

func (p theCore) read(t *testing.T) *core {
	t.Helper()
	c, err := read(p.set, p.files)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func stateH(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../state.h")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Shows P14.
func TestTheHeaderIsFresh(t *testing.T) {
	made, there := strings.Split(parseCore(t).read(t).header(), "\n"), strings.Split(stateH(t), "\n")
	for i := range min(len(made), len(there)) {
		if made[i] != there[i] {
			t.Fatalf("bridge/state.h:%d is not what pool/core says (go generate ./bridge rewrites it):\nhas    %s\nshould %s",
				i+1, there[i], made[i])
		}
	}
	if len(made) != len(there) {
		t.Fatal("bridge/state.h is not what pool/core says (go generate ./bridge rewrites it)")
	}
}

// compile has a C compiler look at text that is preprocessed, and returns its complaints.
func compile(text string) (string, error) {
	c := exec.Command("cc", "-std=gnu11", "-fsyntax-only", "-fpreprocessed", "-x", "c", "-")
	c.Stdin = strings.NewReader(text)
	complaints, err := c.CombinedOutput()
	return string(complaints), err
}

// declarations are where the members of a struct are declared in text of C, in their order.
func declarations(t *testing.T, text string, s *structure) [][]int {
	t.Helper()
	begin := strings.Index(text, "typedef struct "+strings.TrimSuffix(s.inC, "_t")+" {")
	length := strings.Index(text[max(begin, 0):], " "+s.inC+";")
	if begin < 0 || length < 0 {
		t.Fatalf("there is no %s", s.inC)
	}
	var found [][]int
	for _, at := range regexp.MustCompile(`[^{};]*?(\w+)(?:\[\w+\])?;`).FindAllStringSubmatchIndex(text[begin:begin+length], -1) {
		name := text[begin+at[2] : begin+at[3]]
		if len(found) < len(s.members) && name == s.members[len(found)].inC {
			found = append(found, []int{begin + at[0], begin + at[1]})
		}
	}
	if len(found) != len(s.members) {
		t.Fatalf("%d of the %d members of %s are declared", len(found), len(s.members), s.inC)
	}
	return found
}

// Shows P14.
func TestTwoNeighboursThatChangePlacesInCDoNotCompile(t *testing.T) {
	preprocess := exec.Command("cc", "-std=gnu11", "-E", "-P", "../state.h")
	var complaints bytes.Buffer
	preprocess.Stderr = &complaints
	out, err := preprocess.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &complaints)
	}
	text := string(out)
	if said, err := compile(text); err != nil {
		t.Fatalf("as it stands: %v: %s", err, said)
	}
	for _, s := range parseCore(t).read(t).structs {
		at := declarations(t, text, s)
		for i := range len(at) - 1 {
			first, second := at[i], at[i+1]
			t.Run(fmt.Sprintf("%s,%s and %s", s.inC, s.members[i].inC, s.members[i+1].inC), func(t *testing.T) {
				t.Parallel()
				said, err := compile(text[:first[0]] + text[second[0]:second[1]] + text[first[1]:second[0]] +
					text[first[0]:first[1]] + text[second[1]:])
				if err == nil || strings.Count(said, "is not where Go has it") < 2 {
					t.Errorf("%v: %s", err, said)
				}
			})
		}
	}
}

// Shows P14.
func TestTwoNeighboursThatChangePlacesInGoAreAnotherHeader(t *testing.T) {
	core, there := parseCore(t), stateH(t)
	for _, s := range core.read(t).structs {
		fields := fieldsOf(core.files, s.inGo)
		if core.read(t).header() != there {
			t.Fatal("it is another one before")
		}
		for i := range len(fields) - 1 {
			fields[i], fields[i+1] = fields[i+1], fields[i]
			if core.read(t).header() == there {
				t.Errorf("core.%s, fields %d and %d", s.inGo, i, i+1)
			}
			fields[i], fields[i+1] = fields[i+1], fields[i]
		}
	}
}

// fieldsOf are the fields of a struct; those that were declared together are declared one by one from now on.
func fieldsOf(files []*ast.File, name string) []*ast.Field {
	var found *ast.FieldList
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, is := n.(*ast.TypeSpec); is && spec.Name.Name == name {
				found = spec.Type.(*ast.StructType).Fields
			}
			return found == nil
		})
	}
	for i := 0; i < len(found.List); i++ {
		if field := found.List[i]; len(field.Names) > 1 {
			rest := *field
			rest.Names, rest.Doc, rest.Comment = field.Names[1:], nil, nil
			field.Names = field.Names[:1]
			found.List = slices.Insert(found.List, i+1, &rest)
		}
	}
	return found.List
}
