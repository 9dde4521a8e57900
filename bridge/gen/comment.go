package main

import (
	"fmt"
	"regexp"
	"strings"
)

var word = regexp.MustCompile(`\[?\b\w+(\.\w+)?\b\]?`)

// translate is a comment in the words of C, by paragraphs; it may be about a field of a struct.
func (p *printer) translate(comment, inside string) []string {
	if comment == "" {
		return nil
	}
	text := word.ReplaceAllStringFunc(comment, func(found string) string {
		name := strings.Trim(found, "[]")
		if of, field, two := strings.Cut(name, "."); two && p.names[name] != "" {
			return p.names[of] + "." + p.names[of+"."+field]
		}
		for _, called := range []string{p.names[inside+"."+name], p.names[name]} {
			if called != "" && name != strings.ToLower(name) { // else it may be a word as any other
				return called
			}
		}
		return found
	})
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, paragraph := range paragraphs {
		paragraphs[i] = strings.ReplaceAll(paragraph, "\n", " ")
	}
	return paragraphs
}

// line is a line of a declaration, with what is said above it and beside it.
type line struct {
	text          string
	above, beside []string
}

const width = 120

// lines writes lines, with what is said beside them in one column. What is too long for that comes above.
func (p *printer) lines(lines []line) {
	column := 0
	for _, l := range lines {
		if l.beside != nil {
			column = max(column, len(l.text)+1)
		}
	}
	for _, l := range lines {
		if l.beside != nil && column+len("/*  */")+len(l.beside[0]) <= width {
			l.text = fmt.Sprintf("%-*s/* %s */", column, l.text, l.beside[0])
		} else {
			l.above = append(l.above, l.beside...)
		}
		p.comment(l.text[:len(l.text)-len(strings.TrimLeft(l.text, " "))], l.above)
		p.WriteString(l.text + "\n")
	}
}

// comment writes paragraphs, if there are any.
func (p *printer) comment(margin string, paragraphs []string) {
	if len(paragraphs) == 1 && len(margin)+len("/*  */")+len(paragraphs[0]) <= width {
		p.printf("%s/* %s */\n", margin, paragraphs[0])
		return
	}
	for i, paragraph := range paragraphs {
		begin := margin + " *\n"
		if i == 0 {
			begin = margin + "/*\n"
		}
		p.WriteString(begin)
		text := margin + " *"
		for _, word := range strings.Fields(paragraph) {
			if len(text)+1+len(word) > width {
				p.WriteString(text + "\n")
				text = margin + " *"
			}
			text += " " + word
		}
		p.WriteString(text + "\n")
	}
	if paragraphs != nil {
		p.WriteString(margin + " */\n")
	}
}
