package engine

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/wire"
)

// takesGzip reports whether a client takes answers that are compressed with gzip.
func takesGzip(h http.Header) bool {
	for _, entry := range strings.Split(h.Get("Accept-Encoding"), ",") {
		coding, parameter, _ := strings.Cut(entry, ";")
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "gzip", "x-gzip", "*":
			weight, _ := strings.CutPrefix(strings.ReplaceAll(parameter, " ", ""), "q=")
			q, err := strconv.ParseFloat(weight, 64)
			return err != nil || q > 0
		}
	}
	return false
}

// gzipWriters are *gzip.Writer. Each takes most of a megabyte.
var gzipWriters = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// compressed returns the response with its bytes compressed. What is flushed can be read at once.
func (r response) compressed() response {
	var sent bytes.Buffer
	z := gzipWriters.Get().(*gzip.Writer)
	defer gzipWriters.Put(z)
	z.Reset(&sent)
	if r.writes == nil {
		z.Write(r.body)
		z.Close()
		r.body = sent.Bytes()
	} else {
		writes := make([][]byte, r.writes.Len())
		for i, data := range r.writes.All() {
			z.Write(data)
			if i < len(writes)-1 {
				z.Flush()
			} else { // the end is no write of its own: the pace of a stream has no pause before it
				z.Close()
			}
			writes[i] = bytes.Clone(sent.Bytes())
			sent.Reset()
		}
		r.writes = wire.NewPieces(writes...)
	}
	return r.with(map[string]string{"Content-Encoding": "gzip", "Vary": "Accept-Encoding"})
}
