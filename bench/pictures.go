package main

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Colours that people with any kind of sight can tell apart (Okabe and Ito). A peer has the same in all pictures.
var colours = []color.Color{
	color.RGBA{0x00, 0x72, 0xb2, 0xff}, color.RGBA{0xe6, 0x9f, 0x00, 0xff}, color.RGBA{0x00, 0x9e, 0x73, 0xff},
	color.RGBA{0xcc, 0x79, 0xa7, 0xff}, color.RGBA{0x56, 0xb4, 0xe9, 0xff}, color.RGBA{0xd5, 0x5e, 0x00, 0xff},
	color.RGBA{0xf0, 0xe4, 0x42, 0xff},
}

var colourOf = map[string]int{
	ours: 0, apr: 1, unfair: 3, fifo: 2,
	puddle: 1, channel: 2, chanCtx: 3,
	phpPool: 0, noops: 1, queue: 2, phpExt: 3, bare: 4, methods: 5, kept: 6,
	cycle: 0, joining: 1, leaving: 2, granting: 3, bareList: 4,
	entering: 0, notEntering: 1,
	byWord: 0, byLease: 1,
	everything: 0, nothingSet: 1, acquireHook: 2, releaseHook: 3, bothHooks: 4,
	withAges: 0, withLIFO: 2, withAll: 3,
	byCallers: 1, madeAfter: 0,
	machine: 0, slowest: 0,
}

func colour(peer string) color.Color { return colours[colourOf[peer]] }

func init() { plot.DefaultFont.Variant = "Sans" }

// Between a word of the legend and its colour: room for letters that are wider, where a viewer does not fit them.
const beside = "    "

// A text of a picture, as it is drawn: what is said of its letters, their size, what they spell.
var drawnText = regexp.MustCompile(`style="font-family:Liberation Sans;([^"]*font-size:([0-9.]+)px)">([^<]+)</text>`)

// fitTexts has every text take the room that was reckoned for it, whatever font there is where the picture is looked at.
// Arial's letters are as wide as those that it was reckoned with; others are made so.
func fitTexts(picture []byte) []byte {
	return drawnText.ReplaceAllFunc(picture, func(text []byte) []byte {
		part := drawnText.FindSubmatch(text)
		size, err := strconv.ParseFloat(string(part[2]), 64)
		if err != nil {
			return text
		}
		face := font.DefaultCache.Lookup(plot.DefaultFont, vg.Length(size))
		spelt := bytes.TrimRight(part[3], " ")
		width := face.Width(html.UnescapeString(string(spelt)))
		return fmt.Appendf(nil, "textLength=\"%.5g\" lengthAdjust=\"spacingAndGlyphs\"\n"+
			"\tstyle=\"font-family:Liberation Sans,Arial,Helvetica,sans-serif;%s\">%s</text>", float64(width), part[1], spelt)
	})
}

// draw makes the picture of a group and answers its file's name.
func (g *Group) draw(folder string) (string, error) {
	p, err := g.plot()
	if err != nil {
		return "", err
	}
	image, err := p.WriterTo(g.width(), height, "svg")
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	if _, err := image.WriteTo(&text); err != nil {
		return "", err
	}
	name := g.ID + ".svg"
	return name, os.WriteFile(filepath.Join(folder, name), fitTexts(text.Bytes()), 0o644)
}

const (
	height    = 11 * vg.Centimeter
	cellWidth = 4 * vg.Centimeter
	barsWidth = 2.8 * vg.Centimeter // of the bars of one cell
)

func (g *Group) width() vg.Length { return vg.Length(max(4, len(g.Cells)))*cellWidth + 2*vg.Centimeter }

// plot draws a group.
func (g *Group) plot() (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = g.Title
	p.Title.Padding = 2 * vg.Millimeter
	p.Y.Label.Text = g.Unit
	p.Legend.Top = true
	p.Legend.Padding = vg.Millimeter
	p.Y.Tick.Marker = thousands{plot.DefaultTicks{}}
	add := g.addBars
	if g.Lines {
		add = g.addLines
	}
	if err := add(p); err != nil {
		return nil, err
	}
	p.Y.Min = 0
	room := 1 + 0.08*float64(len(g.Peers)) // for the legend, above what is drawn
	if g.spread() > 1000 {
		p.Y.Scale, p.Y.Tick.Marker = decades{}, decades{}
		p.Y.Label.Text += ", in powers of ten"
		p.Y.Max = math.Pow(p.Y.Max, room)
	} else {
		p.Y.Max *= room
	}
	return p, nil
}

// addBars draws the peers of each cell side by side.
func (g *Group) addBars(p *plot.Plot) error {
	var cells []string
	for _, c := range g.Cells {
		cells = append(cells, strings.ReplaceAll(c.Name, ", ", ",\n"))
	}
	var peers []string
	for _, peer := range g.Peers {
		if slices.ContainsFunc(g.Cells, func(c Cell) bool { return len(c.Rounds[peer]) > 0 }) {
			peers = append(peers, peer)
		}
	}
	width := barsWidth / vg.Length(max(2, len(peers)))
	for i, peer := range peers {
		heights := make(plotter.Values, len(g.Cells))
		for j, c := range g.Cells {
			value, _ := g.value(c, peer, g.Metric)
			heights[j] = value * g.Scale
		}
		bars, err := plotter.NewBarChart(heights, width)
		if err != nil {
			return err
		}
		bars.Color = colour(peer)
		bars.LineStyle.Width = 0
		bars.Offset = width * (vg.Length(i) - vg.Length(len(peers)-1)/2)
		p.Add(bars)
		p.Legend.Add(peer+beside, bars)
	}
	p.NominalX(cells...)
	p.X.Min, p.X.Max = -0.5, float64(len(cells))-0.5
	return nil
}

// addLines draws each peer along the sizes that the cells are named after.
func (g *Group) addLines(p *plot.Plot) error {
	p.X.Label.Text = "places, or ops in line"
	p.X.Scale = plot.LogScale{}
	p.X.Tick.Marker = thousands{plot.LogTicks{Prec: -1}}
	for _, peer := range g.Peers {
		var points plotter.XYs
		for _, c := range g.Cells {
			size, err := strconv.ParseFloat(c.Name, 64)
			if err != nil {
				return err
			}
			if value, measured := g.value(c, peer, g.Metric); measured {
				points = append(points, plotter.XY{X: size, Y: value * g.Scale})
			}
		}
		if len(points) == 0 {
			continue
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return err
		}
		line.Color, dots.Color = colour(peer), colour(peer)
		line.Width = vg.Points(1.5)
		dots.Shape = draw.CircleGlyph{}
		p.Add(line, dots)
		p.Legend.Add(peer+beside, line, dots)
	}
	return nil
}

// spread is the largest figure by the smallest that is not zero.
func (g *Group) spread() float64 {
	low, high := math.Inf(1), 0.0
	for _, c := range g.Cells {
		for _, peer := range g.Peers {
			if value, measured := g.value(c, peer, g.Metric); measured && value > 0 {
				low, high = min(low, value), max(high, value)
			}
		}
	}
	return high / low
}

// decades is an axis of powers of ten that begins at zero, so that bars can stand on it.
type decades struct{}

func (decades) Normalize(low, high, x float64) float64 {
	return (math.Log1p(x) - math.Log1p(low)) / (math.Log1p(high) - math.Log1p(low))
}

func (decades) Ticks(low, high float64) []plot.Tick {
	ticks := []plot.Tick{{Value: 0, Label: "0"}}
	for x := 1.0; x <= high; x *= 10 {
		ticks = append(ticks, plot.Tick{Value: x, Label: english.Sprintf("%.0f", x)})
	}
	return ticks
}

// thousands writes the labels of other ticks as the tables write figures.
type thousands struct{ plot.Ticker }

func (t thousands) Ticks(low, high float64) []plot.Tick {
	ticks := t.Ticker.Ticks(low, high)
	for i, tick := range ticks {
		if tick.Label != "" && tick.Value == math.Trunc(tick.Value) {
			ticks[i].Label = english.Sprintf("%.0f", tick.Value)
		}
	}
	return ticks
}
