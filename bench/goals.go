package main

import (
	"fmt"
	"math"
	"strings"
)

// A goal is one row of the goals: what is compared in which cells, and the bound that each must keep.
type goal struct {
	what, against, wanted string
	bound                 float64
	atMost                bool   // the bound is an upper one
	unit                  string // of the figures; empty: they are ratios
	figures               func(*Results) []figure
}

// A figure is what was measured for a goal in one cell.
type figure struct {
	cell  string
	value float64
}

// A verdict is a goal held against a run.
type verdict struct {
	goal
	cells, reached int
	worst          figure
}

// Reached says in words how it went. A goal of which nothing was measured is not reached.
func (v verdict) Reached() string {
	switch {
	case v.cells == 0:
		return "not measured"
	case v.reached == v.cells:
		return "reached"
	}
	return "not reached"
}

// Measured is the worst figure, and where it was seen.
func (v verdict) Measured() string {
	if v.cells == 0 {
		return "-"
	}
	text := number(v.worst.value)
	if v.unit != "" {
		text += " " + v.unit
	}
	text += " (" + v.worst.cell + ")"
	if v.cells > 1 {
		text = fmt.Sprintf("%s; in %d of %d cells", text, v.reached, v.cells)
	}
	return text
}

func (g goal) keeps(value float64) bool {
	if g.atMost {
		return value <= g.bound
	}
	return value >= g.bound
}

// judge holds a goal against a run.
func (g goal) judge(r *Results) verdict {
	v := verdict{goal: g}
	for _, f := range g.figures(r) {
		v.cells++
		if g.keeps(f.value) {
			v.reached++
		}
		if v.cells == 1 || g.atMost == (f.value > v.worst.value) && f.value != v.worst.value {
			v.worst = f
		}
	}
	return v
}

// judge holds all goals against a run.
func judge(r *Results) (all []verdict) {
	for _, g := range goals {
		all = append(all, g.judge(r))
	}
	return all
}

// ratios collects the ratio of a peer's metric by another's in every cell of the groups whose ID and cell
// name begin so.
func ratios(id, cell, metric, peer string, others ...string) func(*Results) []figure {
	return func(r *Results) (all []figure) {
		r.each(id, cell, func(g *Group, c *Cell) {
			if ratio, measured := c.Ratio(peer, c.best(metric, others), metric); measured {
				all = append(all, figure{g.ID + ": " + c.Name, ratio})
			}
		})
		return all
	}
}

// differences collects by how much a peer's metric is above another's.
func differences(id, cell, metric, peer, other string) func(*Results) []figure {
	return func(r *Results) (all []figure) {
		r.each(id, cell, func(g *Group, c *Cell) {
			value, measured := g.value(*c, peer, metric)
			base, comparable := g.value(*c, other, metric)
			if measured && comparable {
				all = append(all, figure{g.ID + ": " + c.Name, value - base})
			}
		})
		return all
	}
}

// values collects a peer's metric itself.
func values(id, cell, metric, peer string) func(*Results) []figure {
	return func(r *Results) (all []figure) {
		r.each(id, cell, func(g *Group, c *Cell) {
			if value, measured := g.value(*c, peer, metric); measured {
				all = append(all, figure{g.ID + ": " + c.Name, value})
			}
		})
		return all
	}
}

// joined is what several functions collect.
func joined(all ...func(*Results) []figure) func(*Results) []figure {
	return func(r *Results) (figures []figure) {
		for _, collect := range all {
			figures = append(figures, collect(r)...)
		}
		return figures
	}
}

// growth collects what an operation costs in a long line by what it costs in a short one, held against the same of
// another peer.
func growth(against string, peers ...string) func(*Results) []figure {
	return func(r *Results) (all []figure) {
		g := r.group("growth")
		if g == nil {
			return nil
		}
		few, many := g.cell(fewParked), g.cell(manyParked)
		if few == nil || many == nil {
			return nil
		}
		times := func(peer string) (float64, bool) {
			a, hasA := few.Median(peer, g.Metric)
			b, hasB := many.Median(peer, g.Metric)
			return b / a, hasA && hasB
		}
		theirs, measured := times(against)
		for _, peer := range peers {
			if ours, has := times(peer); has && measured {
				all = append(all, figure{peer, ours / theirs})
			}
		}
		return all
	}
}

// parkedInGo is what a parked thread costs beyond its stack and malloc's heap: what Go keeps for it.
func parkedInGo(r *Results) []figure {
	g := r.group("memory")
	if g == nil {
		return nil
	}
	rest := 0.0
	for sign, name := range map[float64]string{1: parkedBytes, -1: parkedStack} {
		c := g.cell(name)
		if c == nil {
			return nil
		}
		value, measured := c.Median(ours, g.Metric)
		if !measured {
			return nil
		}
		rest += sign * value
	}
	return []figure{{"memory: " + parkedBytes + ", less its stack", rest}}
}

// each visits the cells whose group's ID and whose name begin so.
func (r *Results) each(id, cell string, visit func(*Group, *Cell)) {
	for i := range r.Groups {
		g := &r.Groups[i]
		if !strings.HasPrefix(g.ID, id) {
			continue
		}
		for j := range g.Cells {
			if strings.HasPrefix(g.Cells[j].Name, cell) {
				visit(g, &g.Cells[j])
			}
		}
	}
}

// best is the peer with the highest median.
func (c Cell) best(metric string, peers []string) (best string) {
	most := math.Inf(-1)
	for _, peer := range peers {
		if value, measured := c.Median(peer, metric); measured && value > most {
			best, most = peer, value
		}
	}
	return best
}
