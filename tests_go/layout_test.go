package tests_go

import (
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"
	"unsafe"

	"asyncpool/pool/core"
)

// layout is what abi/layout.txt says about the C structs: "pool_ask_t.kind" to "offset 8 size 4". A C
// program under ctest compares the same file with the header.
func layout(t *testing.T) map[string]string {
	text, err := os.ReadFile("../abi/layout.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, numbers, found := strings.Cut(strings.TrimSpace(line), " ")
		if !found {
			t.Fatalf("no numbers: %q", line)
		}
		lines[name] = numbers
	}
	return lines
}

func whole(size, align uintptr) string   { return fmt.Sprintf("size %d align %d", size, align) }
func member(offset, size uintptr) string { return fmt.Sprintf("offset %d size %d", offset, size) }

// sameLayout checks that the golden lines about a type and its members are these.
func sameLayout(t *testing.T, name string, want map[string]string) {
	t.Helper()
	lines := layout(t)
	maps.DeleteFunc(lines, func(line, _ string) bool {
		return line != name && !strings.HasPrefix(line, name+".")
	})
	if !maps.Equal(lines, want) {
		t.Errorf("abi/layout.txt says\n%v\nGo has\n%v", lines, want)
	}
}

func TestAsksAndAnswersOfTheCoreHaveTheLayoutOfTheirCTwins(t *testing.T) {
	var ask core.Ask
	sameLayout(t, "pool_ask_t", map[string]string{
		"pool_ask_t":             whole(unsafe.Sizeof(ask), unsafe.Alignof(ask)),
		"pool_ask_t.struct_size": member(unsafe.Offsetof(ask.Size), unsafe.Sizeof(ask.Size)),
		"pool_ask_t.kind":        member(unsafe.Offsetof(ask.Kind), unsafe.Sizeof(ask.Kind)),
		"pool_ask_t.status":      member(unsafe.Offsetof(ask.Status), unsafe.Sizeof(ask.Status)),
		"pool_ask_t.resource":    member(unsafe.Offsetof(ask.Resource), unsafe.Sizeof(ask.Resource)),
		"pool_ask_t.until_ns":    member(unsafe.Offsetof(ask.Until), unsafe.Sizeof(ask.Until)),
		"pool_ask_t.ticket":      member(unsafe.Offsetof(ask.Ticket), unsafe.Sizeof(ask.Ticket)),
		"pool_ask_t.turn":        member(unsafe.Offsetof(ask.Turn), unsafe.Sizeof(ask.Turn)),
	})
	var answer core.Answer
	sameLayout(t, "pool_answer_t", map[string]string{
		"pool_answer_t":             whole(unsafe.Sizeof(answer), unsafe.Alignof(answer)),
		"pool_answer_t.struct_size": member(unsafe.Offsetof(answer.Size), unsafe.Sizeof(answer.Size)),
		"pool_answer_t.ok":          member(unsafe.Offsetof(answer.OK), unsafe.Sizeof(answer.OK)),
		"pool_answer_t.resource":    member(unsafe.Offsetof(answer.Resource), unsafe.Sizeof(answer.Resource)),
		"pool_answer_t.now_ns":      member(unsafe.Offsetof(answer.Now), unsafe.Sizeof(answer.Now)),
	})
}

func TestAnOpOfTheCoreFillsTheOpOfTheHeader(t *testing.T) {
	var op core.Op
	sameLayout(t, "pool_op_t", map[string]string{
		"pool_op_t":        whole(unsafe.Sizeof(op), unsafe.Alignof(op)),
		"pool_op_t.opaque": member(0, unsafe.Offsetof(op.Data)),
		"pool_op_t.data":   member(unsafe.Offsetof(op.Data), unsafe.Sizeof(op.Data)),
	})
}

func TestNumbersOfTheCoreHaveTheSizeOfTheirEnums(t *testing.T) {
	var status core.Status
	var kind core.AskKind
	sameLayout(t, "pool_status_t", map[string]string{
		"pool_status_t": whole(unsafe.Sizeof(status), unsafe.Alignof(status)),
	})
	sameLayout(t, "pool_ask_kind_t", map[string]string{
		"pool_ask_kind_t": whole(unsafe.Sizeof(kind), unsafe.Alignof(kind)),
	})
}
