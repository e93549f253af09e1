package operations

import (
	"context"
	"log/slog"
	"slices"

	"github.com/loopproof/loopproof/internal/engine"
)

// Log writes a line about every request. Neither a key nor what was said is in it.
type Log struct{ *slog.Logger }

// ExchangeDone logs a request that was answered.
func (l Log) ExchangeDone(e engine.Entry) {
	level, told := slog.LevelInfo, e.Summary()
	attrs := []slog.Attr{
		slog.String("method", told.Method), slog.String("target", e.Clean(told.Target)), slog.Int("status", e.Answer.Status),
		slog.Float64("duration_ms", told.DurationMS), slog.Int("bytes", e.Answer.Size()), slog.String("run", told.Run), slog.String("outcome", told.Outcome),
	}
	if told.API != "" {
		attrs = append(attrs, slog.String("api", told.API))
	}
	if told.Scenario != "" {
		attrs = append(attrs, slog.String("scenario", told.Scenario))
	}
	if told.Turn != nil {
		attrs = append(attrs, slog.Int("turn", *told.Turn))
	}
	if told.Fault != "" {
		attrs = append(attrs, slog.String("fault", told.Fault))
	}
	if broken := brokenBy(e); len(broken) > 0 {
		level = slog.LevelWarn
		attrs = append(attrs, slog.Any("broken", broken))
	}
	l.LogAttrs(context.Background(), level, "request", attrs...)
}

// brokenBy returns the rules that a request broke, each once.
func brokenBy(e engine.Entry) []string {
	var all []string
	for _, f := range e.Findings {
		if !slices.Contains(all, f.Rule) {
			all = append(all, f.Rule)
		}
	}
	return all
}
