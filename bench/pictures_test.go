package main

import (
	"strings"
	"testing"
)

// A text is as wide as it was reckoned, whatever font there is; what is no text stays as it is.
func TestTextsTakeTheRoomThatWasReckoned(t *testing.T) {
	const style = `font-variant:normal;font-weight:normal;font-style:normal;font-size:12px`
	picture := `<path d="M0,0" style="fill:#FFFFFF" />` + "\n" + `<text x="1" y="-2" transform="scale(1, -1)"` + "\n\t" +
		`style="font-family:Liberation Sans;` + style + `">a &lt; b    </text>`
	fitted := string(fitTexts([]byte(picture)))
	// The letters of "a < b" are 1139, 569, 1196, 569 and 1139 of 2048 parts of the size wide.
	for _, wanted := range []string{
		`<path d="M0,0" style="fill:#FFFFFF" />`,
		`textLength="27.023" lengthAdjust="spacingAndGlyphs"`,
		`style="font-family:Liberation Sans,Arial,Helvetica,sans-serif;` + style + `">a &lt; b</text>`,
	} {
		if !strings.Contains(fitted, wanted) {
			t.Errorf("there is no %s in:\n%s", wanted, fitted)
		}
	}
}
