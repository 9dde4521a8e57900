package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// printTable writes rows as a Markdown table that is also readable as it is. The first row is the heading;
// the first column stands left, the others right if they hold figures.
func printTable(w io.Writer, rows [][]string, figures bool) {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, text := range row {
			width[i] = max(width[i], utf8.RuneCountInString(text), 3)
		}
	}
	for at, row := range rows {
		for i, text := range row {
			space := strings.Repeat(" ", width[i]-utf8.RuneCountInString(text))
			if i > 0 && figures {
				fmt.Fprint(w, "| ", space, text, " ")
			} else {
				fmt.Fprint(w, "| ", text, space, " ")
			}
		}
		fmt.Fprintln(w, "|")
		if at == 0 {
			for i := range row {
				if i > 0 && figures {
					fmt.Fprint(w, "|", strings.Repeat("-", width[i]+1), ":")
				} else {
					fmt.Fprint(w, "|", strings.Repeat("-", width[i]+2))
				}
			}
			fmt.Fprintln(w, "|")
		}
	}
	fmt.Fprintln(w)
}

// print writes what a group measured: the medians, in parentheses their ratio to the base's.
func (g *Group) print(w io.Writer) {
	rows := [][]string{append([]string{g.Unit}, g.Peers...)}
	for _, c := range g.Cells {
		row := []string{c.Name}
		for _, peer := range g.Peers {
			row = append(row, g.shown(c, peer))
		}
		rows = append(rows, row)
	}
	printTable(w, rows, true)
	if g.Waits {
		g.printWaits(w)
	}
}

// shown is one figure with its ratio; lines and single columns have none.
func (g *Group) shown(c Cell, peer string) string {
	value, measured := g.value(c, peer, g.Metric)
	if !measured {
		return "-"
	}
	text := number(value * g.Scale)
	if ratio, has := c.Ratio(peer, g.Base, g.Metric); has && !g.Lines && len(g.Peers) > 1 {
		text += fmt.Sprintf(" (%.2f)", ratio)
	}
	return text
}

// printWaits writes how long acquires took.
func (g *Group) printWaits(w io.Writer) {
	rows := [][]string{append([]string{"p99.9 / longest wait, µs"}, g.Peers...)}
	for _, c := range g.Cells {
		row := []string{c.Name}
		for _, peer := range g.Peers {
			p999, measured := c.Median(peer, "p999")
			longest, _ := c.Median(peer, "maxw")
			if !measured {
				row = append(row, "-")
				continue
			}
			row = append(row, number(p999*1e-3)+" / "+number(longest*1e-3))
		}
		rows = append(rows, row)
	}
	printTable(w, rows, true)
}

// printGoals writes the goals and whether they were reached.
func printGoals(w io.Writer, verdicts []verdict) {
	rows := [][]string{{"what", "against", "goal", "measured, at worst", ""}}
	for _, v := range verdicts {
		rows = append(rows, []string{v.what, v.against, v.wanted, v.Measured(), v.Reached()})
	}
	printTable(w, rows, false)
}

// english puts commas between thousands.
var english = message.NewPrinter(language.English)

// number writes a figure with three digits at least, and commas between thousands.
func number(value float64) string {
	size := math.Abs(value)
	switch {
	case size < 0.0005:
		return "0"
	case size < 10:
		return strconv.FormatFloat(value, 'f', 2, 64)
	case size < 100:
		return strconv.FormatFloat(value, 'f', 1, 64)
	}
	return english.Sprintf("%.0f", value)
}
