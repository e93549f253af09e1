package sequence

import (
	"fmt"
	"slices"
)

// card draws what a row carries.
func (p *pen) card(r row) {
	if len(r.parts) == 0 && len(r.marks) == 0 && r.note == "" {
		return
	}
	from, to := p.x(r.from), p.x(r.to)
	wide := p.width - 2*margin
	left := margin
	if !r.marked() {
		wide = min(wide, max(abs(to-from)+60, 430))
		left = min(max((from+to)/2-wide/2, margin), p.width-margin-wide)
	}
	body := &pen{width: p.width, lanes: p.lanes, y: p.y + 6}
	if r.note != "" {
		for _, text := range wrap(r.note, p.letters(wide-2*inside)) {
			body.text(left+inside, body.y+12, "faint", text)
			body.y += line
		}
	}
	for _, part := range r.parts {
		body.part(part, left, wide)
	}
	for _, m := range r.marks {
		body.mark(m, left, wide)
	}
	class := "card"
	if r.marked() {
		class += " marked " + worst(r)
	} else if r.bad {
		class += " bad"
	}
	fmt.Fprintf(&p.b, `<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="6"/>`, class, left, p.y, wide, body.y+6-p.y)
	p.b.WriteString(body.b.String())
	p.y = body.y + 6
}

// part draws a piece of what a row carries: who says it, and what.
func (p *pen) part(c part, left, wide int) {
	marked := len(c.marks) > 0
	most := mostLines
	top := p.y
	if marked {
		most = markedLines
	}
	column := 0
	if c.role != "" {
		column = 10
	}
	room := p.letters(wide-2*inside) - column
	if p.width < 500 && column > 0 { // the role stands above
		column, room = 0, p.letters(wide-2*inside)
		p.text(left+inside, p.y+12, "role "+word(c.role), c.role)
		p.y += line - 2
	} else if c.role != "" {
		p.text(left+inside, p.y+12, "role "+word(c.role), shorten(c.role, 9))
	}
	class := ""
	if c.faint {
		class = "faint"
	}
	lines := wrap(c.text, room)
	more := len(lines) - most
	if more > 1 {
		lines = append(lines[:most], "… "+counted(more, "more line"))
	}
	for _, text := range lines {
		p.text(left+inside+int(float64(column)*letter), p.y+12, class, text)
		p.y += line
	}
	if len(lines) == 0 {
		p.y += line
	}
	if marked {
		fmt.Fprintf(&p.b, `<rect class="side %s" x="%d" y="%d" width="4" height="%d"/>`, c.marks[0].Level, left, top, p.y-top+2)
	}
	for _, m := range c.marks {
		p.mark(m, left, wide)
	}
}

// mark draws a broken rule: what is wrong, and what was expected beside what came.
func (p *pen) mark(m Mark, left, wide int) {
	x, room := left+inside, wide-2*inside
	p.y += 4
	for i, text := range wrap("✗ "+m.Level+"  "+m.Rule, p.letters(room)) {
		p.text(x, p.y+12+i*line, "rule "+m.Level, text)
	}
	p.y += line * len(wrap("✗ "+m.Level+"  "+m.Rule, p.letters(room)))
	for _, text := range limited(wrap(m.Message, p.letters(room)), markedLines) {
		p.text(x, p.y+12, "strong", text)
		p.y += line
	}
	boxes := []struct{ class, name, text string }{{"expected", "expected", m.Expected}, {"came", "what came", m.Actual}}
	boxes = slices.DeleteFunc(boxes, func(c struct{ class, name, text string }) bool { return c.text == "" })
	if len(boxes) == 2 && p.width >= 500 {
		half := (room - 10) / 2
		top, bottom := p.y, 0
		for i, c := range boxes {
			p.y = top
			p.box(c.class, c.name, c.text, x+i*(half+10), half)
			bottom = max(bottom, p.y)
		}
		p.y = bottom
	} else {
		for _, c := range boxes {
			p.box(c.class, c.name, c.text, x, room)
		}
	}
	if m.Provider != "" {
		p.box("provider", "the real provider", m.Provider, x, room)
	}
}

// box draws a text under its name.
func (p *pen) box(class, name, text string, left, wide int) {
	lines := limited(wrap(text, p.letters(wide-2*8)), markedLines)
	high := line*(len(lines)+1) + 8
	fmt.Fprintf(&p.b, `<rect class="box %s" x="%d" y="%d" width="%d" height="%d" rx="4"/>`, class, left, p.y+3, wide, high)
	p.text(left+8, p.y+17, "name "+class, name)
	for i, text := range lines {
		p.text(left+8, p.y+17+line*(i+1), "", text)
	}
	p.y += high + 6
}
