package operations

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quiet is how long nothing has to change before the files are read: an editor changes a file in several steps.
const quiet = 100 * time.Millisecond

// Watcher tells when files change. Make one with [Watch].
type Watcher struct {
	files    *fsnotify.Watcher
	finished chan struct{}
}

// Watch calls changed, one at a time, whenever something in the folders of the given files changed, or in given folders
// and below them. A file is watched by its folder, since editors put another file in its place.
func Watch(names []string, changed func()) (*Watcher, error) {
	files, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := watchBelow(files, name); err != nil {
			files.Close()
			return nil, err
		}
	}
	w := &Watcher{files: files, finished: make(chan struct{})}
	go w.run(changed)
	return w, nil
}

func watchBelow(files *fsnotify.Watcher, name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return files.Add(filepath.Dir(name))
	}
	return filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		return files.Add(path)
	})
}

func (w *Watcher) run(changed func()) {
	defer close(w.finished)
	still := time.NewTimer(quiet)
	still.Stop() // until something changes
	defer still.Stop()
	for {
		select {
		case e, open := <-w.files.Events:
			if !open {
				return
			}
			if e.Has(fsnotify.Create) {
				if info, err := os.Stat(e.Name); err == nil && info.IsDir() {
					watchBelow(w.files, e.Name)
				}
			}
			if !e.Has(fsnotify.Chmod) || e.Op != fsnotify.Chmod {
				still.Reset(quiet)
			}
		case _, open := <-w.files.Errors:
			if !open {
				return
			}
			still.Reset(quiet) // events were lost: read all
		case <-still.C:
			changed()
		}
	}
}

// Close ends it. No call is under way any more when it returns.
func (w *Watcher) Close() error {
	err := w.files.Close()
	<-w.finished
	return err
}

// All returns a function that calls several.
func All[T any](each ...func(T)) func(T) {
	return func(v T) {
		for _, f := range each {
			f(v)
		}
	}
}
