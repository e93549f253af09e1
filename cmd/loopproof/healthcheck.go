package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func healthcheckCommand(s streams) *cobra.Command {
	var timeout time.Duration
	serve := &serveFlags{}
	cmd := &cobra.Command{
		Use:   "healthcheck [URL] [flags]",
		Short: "Ask a mock provider whether it answers",
		Long: `Ask the mock provider on this machine whether it answers: for the health checks of containers, whose
image has no shell and no curl. The address is that of loopproof serve: from the same flags, the same
variables (LOOPPROOF_ADDR, LOOPPROOF_PORT) and the same file (LOOPPROOF_CONFIG).

Exit codes: 0 it answers; 1 it does not; 2 an error in the command line.`,
		Example: `  loopproof healthcheck
  loopproof healthcheck -p 9000
  loopproof healthcheck http://mock:8080 --timeout 10s`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("unexpected argument %q; loopproof healthcheck takes one URL", args[1])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if timeout <= 0 {
				return fmt.Errorf("--timeout must be a duration such as 5s, not %v", timeout)
			}
			place, err := serve.ownURL(cmd, s)
			if len(args) == 1 {
				place, err = serverURL(args[0])
			}
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), timeout)
			defer cancel()
			if err := healthy(ctx, place); err != nil {
				s.log("not healthy: %v", err)
				return verdict(exitNotConformant) // the only code besides 0 that Docker knows
			}
			_, err = fmt.Fprintln(s.out, place+" is healthy")
			return err
		},
	}
	cmd.Flags().SortFlags = false
	serve.registerAddress(cmd.Flags())
	cmd.Flags().DurationVar(&timeout, "timeout", 5*time.Second, "how long the server may take to answer")
	return cmd
}

// ownURL returns the URL of the server that has the flags of a health check, and otherwise the
// settings of the environment and the file.
func (f *serveFlags) ownURL(cmd *cobra.Command, s streams) (string, error) {
	serve := serveCommand(s).Flags()
	for _, name := range []string{"addr", "port"} {
		if given := cmd.Flags().Lookup(name); given.Changed {
			if err := serve.Set(name, given.Value.String()); err != nil {
				return "", err
			}
		}
	}
	addr, _, err := applyAddress(serve, os.Environ())
	if err != nil {
		return "", err
	}
	scheme := "http"
	if serve.Lookup("tls-cert").Value.String() != "" {
		scheme = "https"
	}
	return scheme + strings.TrimPrefix(baseURL(addr), "http"), nil
}

// serverURL returns the URL of a server that somebody has written.
func serverURL(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%q is no URL of a server such as http://127.0.0.1:8080", text)
	}
	return u.Scheme + "://" + u.Host, nil
}

// healthy returns why a server is not healthy, or nil. Whose certificate it has does not matter.
func healthy(ctx context.Context, server string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server+"/loopproof/healthz", nil)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(io.LimitReader(resp.Body, 200))
		return fmt.Errorf("%s answers %s: %s", server, resp.Status, body)
	}
	return nil
}
