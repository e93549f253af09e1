package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"
)

// load starts the busy processes, which end with the context.
func (o *options) load(ctx context.Context, dir string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for range o.busy {
		if err := exec.CommandContext(ctx, self, "busy").Start(); err != nil {
			return err
		}
	}
	for n := range o.disk {
		if err := exec.CommandContext(ctx, self, "disk", filepath.Join(dir, fmt.Sprintf("written-%d", n))).Start(); err != nil {
			return err
		}
	}
	return nil
}

// busyCommand keeps a processor busy until the process is ended, or its parent has.
func busyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "busy", Hidden: true, Args: cobra.NoArgs,
		Run: func(*cobra.Command, []string) {
			parent, sum := os.Getppid(), 0
			for os.Getppid() == parent {
				for i := range 10_000_000 {
					sum += i * i
				}
			}
		},
	}
}

// diskCommand writes a file to the disk again and again.
func diskCommand() *cobra.Command {
	return &cobra.Command{
		Use: "disk FILE", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			parent, block := os.Getppid(), make([]byte, 4<<20)
			defer os.Remove(args[0])
			for os.Getppid() == parent {
				if err := writeThrough(args[0], block); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func writeThrough(name string, data []byte) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}
