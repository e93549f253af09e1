package recording

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/secret"
	"github.com/loopproof/loopproof/internal/vectors"
	"github.com/loopproof/loopproof/internal/wire"
)

// The script and the table of the vectors that were recorded.
const (
	embeddingsScript = "embeddings.yaml"
	embeddingsTable  = "embeddings.jsonl"
)

// embeddings writes the vectors of texts into a table, a line each, and a script that names it. The
// same text has the same vector whoever asks for it, so that no request has to come again as it was.
type embeddings struct {
	recorder *Recorder

	mu    sync.Mutex
	known map[[sha256.Size]byte]bool // hashes of the lines of the table, which may be greater than the memory
}

// embeds is a request for embeddings that is being recorded.
type embeds struct {
	asked   *vectors.Request
	secrets secret.Keys
}

type embedsKey struct{}

// hear returns the request with what is to be recorded of it in its context. One that asks for no
// embeddings is not changed.
func (e *embeddings) hear(req *http.Request) (heard *http.Request, is bool, err error) {
	for _, d := range e.recorder.spoken {
		vars, is := d.Endpoint.Embeds(req.URL.Path)
		if !is || req.Method != http.MethodPost {
			continue
		}
		most := e.recorder.config.MaxBody
		body, err := io.ReadAll(io.LimitReader(req.Body, most+1))
		whole := err == nil && int64(len(body)) <= most
		req.Body = sentAgain(body, req.Body, whole)
		if err != nil {
			return nil, true, fmt.Errorf("%w: %w", errUnread, err)
		}
		root, err := wire.ParseNode(body)
		if !whole || err != nil || !root.Is(wire.Object) {
			return req, true, errors.New("a request for embeddings is let through, but not recorded: it cannot be read")
		}
		asked, bad := vectors.Read(d.Embeddings, root)
		if bad != nil {
			return req, true, nil // the provider says so, too
		}
		if asked.Model == "" {
			asked.Model = vars["model"]
		}
		return req.WithContext(context.WithValue(req.Context(), embedsKey{}, &embeds{asked, secret.Of(req.Header, req.URL)})), true, nil
	}
	return req, false, nil
}

// listen records the vectors of an answer when it has passed through.
func (e *embeddings) listen(resp *http.Response, to *embeds) {
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Encoding") != "" && resp.Header.Get("Content-Encoding") != "identity" {
		return
	}
	resp.Body = &copied{body: resp.Body, ended: func(all []byte) {
		if err := e.write(to, all); err != nil {
			e.recorder.config.Failed(fmt.Errorf("the embeddings of a request are not recorded: %w", err))
		}
	}}
}

// copied is a body that is copied while it is read, and handed over at its end.
type copied struct {
	body  io.ReadCloser
	all   bytes.Buffer
	ended func([]byte)
}

func (c *copied) Read(p []byte) (int, error) {
	n, err := c.body.Read(p)
	if c.all.Len() <= maxAnswer {
		c.all.Write(p[:n])
	}
	if err == io.EOF && c.ended != nil {
		c.ended(c.all.Bytes())
		c.ended = nil
	}
	return n, err
}

func (c *copied) Close() error { return c.body.Close() }

// write writes the vectors of an answer that are not in the table yet.
func (e *embeddings) write(to *embeds, answer []byte) error {
	root, err := wire.ParseNode(answer)
	if err != nil {
		return fmt.Errorf("the answer is no JSON: %w", err)
	}
	vectors := to.asked.VectorsIn(root)
	if len(vectors) != len(to.asked.Texts) {
		return fmt.Errorf("the answer has %d vectors for %d texts", len(vectors), len(to.asked.Texts))
	}
	redact := newRedactor(to.secrets, e.recorder.config.Redact)
	var lines []byte
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.begin(); err != nil {
		return err
	}
	for i, text := range to.asked.Texts {
		row := scenarios.EmbeddingRow{Model: to.asked.Model, Input: redact.text(text)}
		if err := row.Vector.UnmarshalJSON(vectors[i].Raw); err != nil {
			return err
		}
		line, err := json.Marshal(row)
		if err != nil {
			return err
		}
		if hash := sha256.Sum256(line); !e.known[hash] {
			e.known[hash] = true
			lines = append(append(lines, line...), '\n')
		}
	}
	table, err := os.OpenFile(e.file(embeddingsTable), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = table.Write(lines)
	return errors.Join(err, table.Close())
}

func (e *embeddings) file(name string) string { return filepath.Join(e.recorder.config.Dir, name) }

// begin reads what was recorded before, and writes the script, once.
func (e *embeddings) begin() error {
	if e.known != nil {
		return nil
	}
	known, err := e.recorded()
	if err != nil {
		return err
	}
	script, err := os.OpenFile(e.file(embeddingsScript), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = script.WriteString("# Vectors, as recorded by loopproof record.\nloopproof: 1\nembeddings: [{table: " + embeddingsTable + "}]\n")
		err = errors.Join(err, script.Close())
	}
	if err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	e.known = known
	return nil
}

// recorded returns the hashes of the lines that are in the table already.
func (e *embeddings) recorded() (map[[sha256.Size]byte]bool, error) {
	known := map[[sha256.Size]byte]bool{}
	table, err := os.Open(e.file(embeddingsTable))
	if errors.Is(err, os.ErrNotExist) {
		return known, nil
	}
	if err != nil {
		return nil, err
	}
	defer table.Close()
	for lines := bufio.NewReader(table); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			known[sha256.Sum256(bytes.TrimSuffix(line, []byte("\n")))] = true
		}
		if err == io.EOF {
			return known, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
