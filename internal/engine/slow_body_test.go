package engine_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// A client that does not send the announced bytes is told so when its time is over. One that sent
// them may wait for its answer for longer than that.
func TestABodyThatNeverEnds(t *testing.T) {
	srv := start(t, engine.Config{Limits: engine.Limits{BodyTime: 50 * time.Millisecond}, Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}})
	for _, c := range []struct{ body, want string }{
		{hello[:len(hello)/2], "could not be read"},
		{hello, "200 OK"},
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		head := fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%s: first-token: 150ms\r\nContent-Length: %d\r\n\r\n", engine.BehaviourHeader, len(hello))
		io.WriteString(conn, head+c.body)
		if answer, err := io.ReadAll(conn); !strings.Contains(string(answer), c.want) {
			t.Errorf("after %d of %d bytes of the body the answer is %q, %v; want %q in it", len(c.body), len(hello), answer, err, c.want)
		}
	}
}
