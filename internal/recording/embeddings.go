package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

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
	table    growing
}

// embeds is a request for embeddings that is being recorded.
type embeds struct {
	asked   *vectors.Request
	secrets secret.Keys
}

// hear returns what is to be recorded of a request whose body is read, or nil if it asks for no
// embeddings that can be.
func (e *embeddings) hear(d *wire.Dialect, req *http.Request, vars map[string]string, root *wire.Node) besides {
	asked, bad := vectors.Read(d.Embeddings, root)
	if bad != nil {
		return nil // the provider says so, too
	}
	if asked.Model == "" {
		asked.Model = vars["model"]
	}
	to := &embeds{asked, secret.Of(req.Header, req.URL)}
	return func(answer []byte) error { return e.write(to, answer) }
}

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
	var lines [][]byte
	for i, text := range to.asked.Texts {
		row := scenarios.EmbeddingRow{Model: to.asked.Model, Input: redact.text(text)}
		if err := row.Vector.UnmarshalJSON(vectors[i].Raw); err != nil {
			return err
		}
		line, err := json.Marshal(row)
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	if err := e.writeScript(); err != nil {
		return err
	}
	return e.table.add(lines...)
}

// writeScript writes the script, unless it is there.
func (e *embeddings) writeScript() error {
	script, err := os.OpenFile(filepath.Join(e.recorder.config.Dir, embeddingsScript), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = script.WriteString("# Vectors, as recorded by loopproof record.\nloopproof: 1\nembeddings: [{table: " + embeddingsTable + "}]\n")
	return errors.Join(err, script.Close())
}
