// Package testcontainers starts the mock provider in a container, by Testcontainers for Go. It is a
// module of its own, since the others need no Docker.
//
//	loopproof, err := testcontainers.Run(ctx, "scripts", map[string]string{"profile": "openai,anthropic"})
//	testcontainers.CleanupContainer(t, loopproof) // of the module testcontainers-go
//	...
//	base, err := loopproof.BaseURL(ctx)
package testcontainers

import (
	"context"
	"strings"

	tc "github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

// Image is the image that is started, unless an option of Testcontainers names another one.
const Image = "ghcr.io/loopproof/loopproof"

const port = "8080/tcp"

// Container is a container with the mock provider.
type Container struct{ tc.Container }

// Run starts a container that plays the scripts of a folder. The settings are named like the flags
// of loopproof serve.
func Run(ctx context.Context, scripts string, settings map[string]string, more ...tc.ContainerCustomizer) (*Container, error) {
	started, err := tc.Run(ctx, Image, append(options(scripts, settings), more...)...)
	if started == nil {
		return nil, err
	}
	return &Container{started}, err
}

func options(scripts string, settings map[string]string) []tc.ContainerCustomizer {
	variables := map[string]string{"LOOPPROOF_SCENARIO": "/scripts"}
	for flag, value := range settings {
		variables["LOOPPROOF_"+strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))] = value
	}
	return []tc.ContainerCustomizer{
		tc.WithExposedPorts(port), tc.WithEnv(variables),
		tc.WithFiles(tc.ContainerFile{HostFilePath: scripts, ContainerFilePath: "/scripts", FileMode: 0o755}),
		tc.WithWaitStrategy(wait.ForHTTP("/loopproof/healthz").WithPort(port)),
	}
}

// URL returns the base URL of clients of Anthropic and Google.
func (c *Container) URL(ctx context.Context) (string, error) {
	return c.PortEndpoint(ctx, port, "http")
}

// BaseURL returns the base URL of clients of OpenAI.
func (c *Container) BaseURL(ctx context.Context) (string, error) {
	url, err := c.URL(ctx)
	return url + "/v1", err
}
