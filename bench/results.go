package main

import (
	"encoding/json"
	"os"
	"slices"
)

// Results is one run of the bench: what build/bench/results.json holds.
type Results struct {
	Command string
	Date    string
	Machine []Fact
	Groups  []Group
}

// A Fact says something about the machine or the programs on it.
type Fact struct{ Name, Value string }

// A Group is one table and one picture: cells down, peers across.
type Group struct {
	ID     string
	Title  string
	Note   string `json:",omitempty"` // what else a reader must know
	Metric string // the metric that the table shows and the ratios compare
	Unit   string
	Scale  float64 // what the metric is multiplied by to be in that unit
	Base   string  // the peer with ratio 1
	Waits  bool    `json:",omitempty"` // also show the waits: p999 and maxw
	Lines  bool    `json:",omitempty"` // the cells are sizes: draw lines, not bars
	Least  bool    `json:",omitempty"` // the least of the rounds counts: the machine only adds to what is measured
	Peers  []string
	Cells  []Cell
}

// A Cell is one row: for each peer what it printed in each round. A peer that cannot be measured here has none.
type Cell struct {
	Name   string
	Rounds map[string][]Metrics
}

// Metrics are the numbers that a measuring program prints.
type Metrics map[string]float64

// value is what a peer's metric comes to over the rounds.
func (g *Group) value(c Cell, peer, metric string) (value float64, measured bool) {
	if !g.Least {
		return c.Median(peer, metric)
	}
	all := c.all(peer, metric)
	if len(all) == 0 {
		return 0, false
	}
	return slices.Min(all), true
}

// Median is the median of a peer's metric over the rounds.
func (c Cell) Median(peer, metric string) (value float64, measured bool) {
	return median(c.all(peer, metric))
}

// all is a peer's metric in every round that has it.
func (c Cell) all(peer, metric string) (all []float64) {
	for _, round := range c.Rounds[peer] {
		if value, has := round[metric]; has {
			all = append(all, value)
		}
	}
	return all
}

// Ratio is the median over the rounds of a peer's metric by another's in the same round, so that what slows
// the machine down for a while slows both.
func (c Cell) Ratio(peer, other, metric string) (ratio float64, measured bool) {
	var all []float64
	theirs := c.Rounds[other]
	for i, round := range c.Rounds[peer] {
		if i >= len(theirs) {
			break
		}
		a, hasA := round[metric]
		b, hasB := theirs[i][metric]
		if hasA && hasB && b != 0 {
			all = append(all, a/b)
		}
	}
	return median(all)
}

func median(all []float64) (float64, bool) {
	if len(all) == 0 {
		return 0, false
	}
	slices.Sort(all)
	middle := len(all) / 2
	if len(all)%2 == 1 {
		return all[middle], true
	}
	return (all[middle-1] + all[middle]) / 2, true
}

// group finds a group by its ID, nil if it was not measured.
func (r *Results) group(id string) *Group {
	for i := range r.Groups {
		if r.Groups[i].ID == id {
			return &r.Groups[i]
		}
	}
	return nil
}

// cell finds a row by its name, or nil.
func (g *Group) cell(name string) *Cell {
	for i := range g.Cells {
		if g.Cells[i].Name == name {
			return &g.Cells[i]
		}
	}
	return nil
}

func (r *Results) save(file string) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

func load(file string) (*Results, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := new(Results)
	return r, json.Unmarshal(text, r)
}
