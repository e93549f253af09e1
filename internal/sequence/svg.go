package sequence

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"time"
)

// Width is how wide a diagram is drawn, in pixels.
type Width int

// The widths: of a page, and of a phone or a column beside another one.
const (
	Wide   Width = 960
	Narrow Width = 380
)

// The measures of the drawing, in pixels.
const (
	letter   = 7.3 // the width of a letter at the size of texts
	line     = 17  // the height of a line
	margin   = 4
	inside   = 10 // of a box
	headRoom = 40
	arrow    = 26 // the height of an arrow with its label
	between  = 10 // rows
)

// How many lines of a part are drawn, and of one that is marked.
const (
	mostLines   = 4
	markedLines = 9
)

// SVG draws the diagram for a page, whose style sheet it needs.
func (d *Diagram) SVG(w Width) string { return d.draw(w, "") }

// File draws the diagram as a file of its own, with its style sheet.
func (d *Diagram) File(style string) string { return d.draw(Wide, style) + "\n" }

func (d *Diagram) draw(w Width, style string) string {
	if d.Empty() {
		return ""
	}
	p := &pen{width: int(w), lanes: d.lanes()}
	p.y = headRoom
	last := d.rows[0].at // the clock may have begun long before
	for _, r := range d.rows {
		p.wait(r.at - last)
		p.row(r)
		last = r.at
	}
	bottom := p.y
	p.strip(d)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="sequence" role="img" width="%d" height="%d" viewBox="0 0 %[1]d %d">`, p.width, p.y+margin, p.y+margin)
	fmt.Fprintf(&b, "<title>%s</title><desc>%s</desc>", escape("Sequence of "+d.title), escape(d.describe()))
	if style != "" {
		fmt.Fprintf(&b, "<style>%s</style>", style)
		fmt.Fprintf(&b, `<rect class="page" width="%d" height="%d"/>`, p.width, p.y+margin)
	}
	for _, l := range p.lanes {
		x := p.x(l)
		fmt.Fprintf(&b, `<line class="life" x1="%d" y1="%d" x2="%[1]d" y2="%[3]d"/>`, x, headRoom-10, bottom)
		name := laneNames[l]
		wide := int(float64(len(name))*letter) + 2*inside
		fmt.Fprintf(&b, `<rect class="lane" x="%d" y="4" width="%d" height="24" rx="12"/>`, x-wide/2, wide)
		fmt.Fprintf(&b, `<text class="lane" x="%d" y="20" text-anchor="middle">%s</text>`, x, name)
	}
	b.WriteString(p.b.String())
	b.WriteString("</svg>")
	return b.String()
}

// lanes returns those who say or hear anything. The loop and the provider are always there.
func (d *Diagram) lanes() []lane {
	used := map[lane]bool{loop: true, provider: true}
	for _, r := range d.rows {
		if r.gap == "" {
			used[r.from], used[r.to] = true, true
		}
	}
	return slices.DeleteFunc([]lane{user, loop, provider, tools}, func(l lane) bool { return !used[l] })
}

// describe says in words what is drawn.
func (d *Diagram) describe() string {
	var b strings.Builder
	for i, r := range d.rows {
		if i > 0 {
			b.WriteString(" ")
		}
		if r.gap != "" {
			b.WriteString(r.gap + ".")
			continue
		}
		fmt.Fprintf(&b, "%s to %s: %s", laneNames[r.from], laneNames[r.to], r.head)
		marks := slices.Clone(r.marks)
		for _, p := range r.parts {
			marks = append(marks, p.marks...)
		}
		for _, m := range marks {
			fmt.Fprintf(&b, "; breaks the %s %s: %s", m.Level, m.Rule, m.Message)
		}
		b.WriteString(".")
	}
	return b.String()
}

// pen draws rows from the top to the bottom.
type pen struct {
	width int
	lanes []lane
	y     int
	b     strings.Builder
}

// x is where a lane is. The first and the last are as far from the border as their names need; the
// provider gets more room than the others where there is room.
func (p *pen) x(l lane) int {
	at := slices.Index(p.lanes, l)
	edge := min(46, p.width/8)
	inner := p.width - 2*edge
	return edge + at*inner/max(1, len(p.lanes)-1)
}

// wait leaves room for a time in which nothing happened, to scale up to a limit.
func (p *pen) wait(d time.Duration) {
	if d < shortWait {
		return
	}
	high := min(highestWait, 22+int(d/(25*time.Millisecond)))
	x := p.x(p.lanes[0])
	y := p.y + high/2
	fmt.Fprintf(&p.b, `<line class="wait" x1="%[1]d" y1="%[2]d" x2="%[1]d" y2="%[3]d"/>`, x, p.y, p.y+high-4)
	if high == highestWait {
		fmt.Fprintf(&p.b, `<path class="cut" d="M%[1]d %[2]dl10 -5M%[1]d %[3]dl10 -5"/>`, x-5, y+2, y+7)
	}
	p.text(x+12, y+4, "faint", span(d)+" later")
	p.y += high
}

const (
	shortWait   = 100 * time.Millisecond
	highestWait = 90
)

func span(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

func (p *pen) row(r row) {
	if r.gap != "" {
		class := "gap"
		if r.bad {
			class = "gap bad"
		}
		fmt.Fprintf(&p.b, `<line class="%s" x1="%d" y1="%d" x2="%d" y2="%[3]d"/>`, class, margin, p.y+10, p.width-margin)
		for i, text := range wrap("— "+r.gap+" —", p.letters(p.width-2*margin)) {
			p.label(p.width/2, p.y+14+i*line, class, text)
		}
		p.y += 24 + between
		return
	}
	p.arrow(r)
	p.card(r)
	p.y += between
}

// arrow draws the arrow of a row, with what it is in a few words.
func (p *pen) arrow(r row) {
	from, to := p.x(r.from), p.x(r.to)
	step := 1
	if to < from {
		step = -1
	}
	y := p.y + 20
	class := "arrow"
	if r.back {
		class += " back"
	}
	if r.bad || r.lost {
		class += " bad"
	}
	end := to - 2*step
	if r.lost {
		end = to - step*abs(to-from)/4
		fmt.Fprintf(&p.b, `<path class="%s" d="M%d %dl10 10m0 -10l-10 10"/>`, strings.ReplaceAll(class, " back", ""), end-5, y-5)
	}
	fmt.Fprintf(&p.b, `<line class="%s" x1="%d" y1="%d" x2="%d" y2="%[3]d"/>`, class, from, y, end)
	if !r.lost {
		fmt.Fprintf(&p.b, `<path class="%s head" d="M%d %dl%d -5v10z"/>`, class, to-step, y, -9*step)
	}
	head := r.head
	if room := p.letters(abs(to-from) + 90); len(head) > room {
		head = shorten(head, room)
	}
	half := int(float64(cells(head))*letter) / 2
	at := min(max((from+to)/2, half+margin), p.width-half-margin)
	if r.link != "" {
		fmt.Fprintf(&p.b, `<a href="%s">`, escape(r.link))
	}
	p.label(at, y-6, "head", head)
	if r.link != "" {
		p.b.WriteString("</a>")
	}
	p.y += arrow
}

// strip draws when the provider and the tools were at work, on one scale.
func (p *pen) strip(d *Diagram) {
	if len(d.bars) == 0 {
		return
	}
	const name, high = 74, 14
	left, wide := margin+name, p.width-2*margin-name-44
	p.y += 8
	p.text(margin, p.y+12, "faint", "time to scale, "+span(d.whole)+" in all")
	p.y += line + 4
	for _, l := range []lane{provider, tools} {
		var ends []time.Duration // of each line of bars
		top := p.y
		for _, bar := range d.bars {
			if bar.lane != l {
				continue
			}
			at := slices.IndexFunc(ends, func(end time.Duration) bool { return end <= bar.at })
			if at < 0 {
				at = len(ends)
				ends = append(ends, 0)
			}
			ends[at] = max(bar.end, bar.at+1)
			x := left + int(float64(wide)*float64(bar.at-d.began)/float64(d.whole))
			w := max(2, int(float64(wide)*float64(bar.end-bar.at)/float64(d.whole)))
			class := "bar " + laneNames[l]
			if bar.bad {
				class += " bad"
			}
			fmt.Fprintf(&p.b, `<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="2"><title>%s, %s to %s</title></rect>`, class, x, top+at*(high+3), w, high, escape(bar.name), span(bar.at-d.began), span(bar.end-d.began))
		}
		if len(ends) > 0 {
			p.text(margin, top+11, "faint", laneNames[l])
			p.y = top + len(ends)*(high+3) + 3
		}
	}
}

func (p *pen) letters(wide int) int { return max(8, int(float64(wide)/letter)) }

func (p *pen) text(x, y int, class, text string) { p.write(x, y, class, "", text) }

func (p *pen) label(x, y int, class, text string) {
	p.write(x, y, class, ` text-anchor="middle"`, text)
}

func (p *pen) write(x, y int, class, anchor, text string) {
	if text == "" {
		return
	}
	if class != "" {
		class = ` class="` + class + `"`
	}
	fmt.Fprintf(&p.b, `<text%s x="%d" y="%d"%s>%s</text>`, class, x, y, anchor, escape(text))
}

func escape(text string) string { return html.EscapeString(strings.ToValidUTF8(text, "\uFFFD")) }

// word returns the word of a role as a class.
func word(role string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(role))
}

func worst(r row) string {
	level := "info"
	all := slices.Clone(r.marks)
	for _, c := range r.parts {
		all = append(all, c.marks...)
	}
	for _, m := range all {
		switch {
		case m.Level == "must":
			return "must"
		case m.Level == "should":
			level = "should"
		}
	}
	return level
}

func abs(n int) int { return max(n, -n) }
