package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

const head = `/*
 * The state that C and Go both see, and the numbers that both use: ap_state_t is core.State, AP_GATE_X is core.GateX.
 *
 * Generated from pool/core by bridge/gen, comments included: change it there and run "go generate ./bridge". At the
 * end each member is compared with Go's. What drivers keep in an op for themselves is in own.h.
 */
#ifndef ASYNCPOOL_STATE_H
#define ASYNCPOOL_STATE_H

#include "../include/asyncpool/pool.h"
#include "own.h"

#include <stdatomic.h>

typedef struct ap_pool ap_pool_t;

`

const twins = `/* Where a member is in Go, and how large. */
#define AP_IS_AT(type, member, offset, size)                                                                           \
    _Static_assert(offsetof(type, member) == (offset) && sizeof(((type *)0)->member) == (size),                        \
                   #type "." #member " is not where Go has it, or not as large")
`

// header is the text of state.h.
func (c *core) header() string {
	p := &printer{names: c.names}
	p.WriteString(head)
	for _, b := range c.blocks {
		if strings.HasPrefix(b.numbers[0].inC, "AP_") {
			p.numbers(b)
		}
	}
	for _, s := range c.structs {
		if strings.HasPrefix(s.inC, "ap_") {
			p.structure(s)
		}
	}
	p.WriteString(twins)
	for _, s := range c.structs {
		is, what := "==", "not as large as"
		if !strings.HasPrefix(s.inC, "ap_") { // a public one grows at its end, which the core need not know
			is, what = ">=", "smaller than"
		}
		p.printf("\n_Static_assert(sizeof(%s) %s %d, \"it is %s core.%s\");\n", s.inC, is, s.size, what, s.inGo)
		for _, m := range s.members {
			p.printf("AP_IS_AT(%s, %s, %d, %d);\n", s.inC, m.inC, m.offset, m.size)
		}
	}
	p.WriteString("\n#undef AP_IS_AT\n\n/* Numbers of pool.h that the core uses, too. */\n")
	for _, b := range c.blocks {
		for _, n := range b.numbers {
			if strings.HasPrefix(n.inC, "POOL_") {
				p.printf("_Static_assert(%s == %s, \"it is not core.%s\");\n", n.inC, n.value, n.inGo)
			}
		}
	}
	p.WriteString("\n#endif\n")
	return p.String()
}

type printer struct {
	strings.Builder
	names map[string]string
}

func (p *printer) printf(format string, values ...any) { fmt.Fprintf(p, format, values...) }

func (p *printer) numbers(b block) {
	p.comment("", p.translate(b.doc, ""))
	if n := b.numbers[0]; n.value == strconv.Itoa(math.MaxInt64) { // an enum's are ints
		p.printf("#define %s INT64_MAX\n\n", n.inC)
		return
	}
	var lines []line
	for i, n := range b.numbers {
		comma := ","
		if i == len(b.numbers)-1 {
			comma = ""
		}
		lines = append(lines, line{"    " + n.inC + " = " + n.value + comma, nil, p.translate(n.beside, b.of)})
	}
	if len(b.numbers) == 1 {
		p.printf("enum { %s };\n\n", strings.TrimSpace(lines[0].text))
		return
	}
	p.WriteString("enum {\n")
	p.lines(lines)
	p.WriteString("};\n\n")
}

func (p *printer) structure(s *structure) {
	p.comment("", p.translate(s.doc, s.inGo))
	p.printf("typedef struct %s {\n", strings.TrimSuffix(s.inC, "_t"))
	var lines []line
	both, end, margin := "", int64(0), "    "
	for _, m := range s.members {
		if m.both != "" {
			both, end, margin = m.both, m.offset+8, "            "
			lines = append(lines, line{"    union {", nil, nil}, line{"        struct {", nil, nil})
		}
		lines = append(lines, line{margin + m.declaration + ";", p.translate(m.above, s.inGo), p.translate(m.beside, s.inGo)})
		if both != "" && m.offset+m.size == end {
			number := line{"        uint64_t " + both + ";", nil, []string{"all of that at once, see ap__pair()"}}
			lines = append(lines, line{"        };", nil, nil}, number, line{"    };", nil, nil})
			both, margin = "", "    "
		}
	}
	p.lines(lines)
	alias := ""
	if s.inGo == "Op" { // it is reached as a pool_op_t, too
		alias = "__attribute__((may_alias)) "
	}
	p.printf("} %s%s;\n\n", alias, s.inC)
}
