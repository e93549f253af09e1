package toolserver

import (
	"context"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Relay offers the MCP server at a URL over two streams, until the first one ends.
func Relay(ctx context.Context, url string, in io.ReadCloser, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	near, err := (&mcp.IOTransport{Reader: in, Writer: unclosed{out}}).Connect(ctx)
	if err != nil {
		return err
	}
	far, err := (&mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true}).Connect(ctx)
	if err != nil {
		return err
	}
	defer far.Close()
	go func() {
		forward(ctx, far, near)
		near.Close()
	}()
	return forward(ctx, near, far)
}

// forward writes every message of one connection to another.
func forward(ctx context.Context, from, to mcp.Connection) error {
	for {
		message, err := from.Read(ctx)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, mcp.ErrConnectionClosed):
			return nil
		case err != nil:
			return err
		}
		if err := to.Write(ctx, message); err != nil {
			return err
		}
	}
}

// unclosed is a writer that others close.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
