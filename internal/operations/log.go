package operations

import (
	"context"
	"log/slog"
	"slices"

	"github.com/loopproof/loopproof/mockprovider"
)

// Log writes a line about every request. Neither a key nor what was said is in it.
type Log struct{ *slog.Logger }

// ExchangeDone logs a request that was answered.
func (l Log) ExchangeDone(e mockprovider.Entry) {
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("method", e.Method), slog.String("target", e.Target), slog.Int("status", e.Answer.Status),
		slog.Duration("took", e.Took()), slog.Int("bytes", e.Answer.Size()), slog.String("run", e.Run), slog.String("outcome", outcome(e)),
	}
	if e.Scenario != "" {
		attrs = append(attrs, slog.String("scenario", e.Scenario))
	}
	if e.Exchange.Turn != nil {
		attrs = append(attrs, slog.Int("turn", e.Exchange.Turn.Number+1))
	}
	if e.Fault != "" {
		attrs = append(attrs, slog.String("fault", e.Fault))
	}
	if broken := brokenBy(e); len(broken) > 0 {
		level = slog.LevelWarn
		attrs = append(attrs, slog.Any("broken", broken))
	}
	l.LogAttrs(context.Background(), level, "request", attrs...)
}

// brokenBy returns the rules that a request broke, each once.
func brokenBy(e mockprovider.Entry) []string {
	var all []string
	for _, f := range e.Findings {
		if !slices.Contains(all, f.Rule) {
			all = append(all, f.Rule)
		}
	}
	return all
}
