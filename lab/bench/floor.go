package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// floorCommand is the floor, as a process: it writes the bytes of the file that the last element of
// the path names.
func floorCommand() *cobra.Command {
	var addr, answers string
	var spread time.Duration
	c := &cobra.Command{
		Use: "floor", Short: "Serve files by a bare net/http handler", Hidden: true, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			h, err := newFloor(answers)
			if err != nil {
				return err
			}
			h.spread = spread
			l, err := net.Listen("tcp", addr)
			if err != nil {
				return err
			}
			return http.Serve(l, h)
		},
	}
	c.Flags().StringVar(&addr, "addr", "127.0.0.1:0", "listen on this `address`")
	c.Flags().DurationVar(&spread, "spread", 0, "spread the events of a stream over this `time`")
	c.Flags().StringVar(&answers, "answers", ".", "the `folder` of the answers")
	return c
}

// floor answers requests with bytes, by the last element of their path.
type floor struct {
	whole  map[string][]byte
	events map[string][][]byte // each is flushed
	spread time.Duration       // of a stream
}

func newFloor(folder string) (*floor, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return nil, err
	}
	f := &floor{whole: map[string][]byte{}, events: map[string][][]byte{}}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		name := filepath.Base(file)
		if isStream(data) && !strings.HasSuffix(name, "-merged") {
			f.events[name] = bytes.SplitAfter(bytes.TrimSuffix(data, []byte("\n\n")), []byte("\n\n"))
			continue
		}
		f.whole[name] = data
	}
	return f, nil
}

// ServeHTTP reads the body and writes an answer.
func (f *floor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	name := path.Base(r.URL.Path)
	if events, ok := f.events[name]; ok {
		w.Header().Set("Content-Type", "text/event-stream")
		flush := http.NewResponseController(w)
		begin := time.Now()
		for i, e := range events {
			time.Sleep(time.Until(begin.Add(f.spread * time.Duration(i) / time.Duration(max(1, len(events)-1)))))
			w.Write(e)
			flush.Flush()
		}
		return
	}
	whole := f.whole[name]
	w.Header().Set("Content-Type", "application/json")
	if isStream(whole) {
		w.Header().Set("Content-Type", "text/event-stream")
	}
	w.Write(whole)
}

func isStream(data []byte) bool {
	return bytes.HasPrefix(data, []byte("data:")) || bytes.HasPrefix(data, []byte("event:"))
}
