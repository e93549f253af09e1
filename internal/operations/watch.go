package operations

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quiet is how long nothing has to change before the files are read: an editor changes a file in
// several steps.
const quiet = 100 * time.Millisecond

// Watcher tells when files change. Make one with [Watch].
type Watcher struct {
	events   *fsnotify.Watcher
	files    func() []string
	last     map[string]stamp
	finished chan struct{}
}

// stamp tells one state of a file from another.
type stamp struct {
	size    int64
	changed time.Time
}

// Watch calls changed, one at a time, whenever one of the files changed, appeared or went that the
// function files returns: those that are read from the given files and folders. Changes of other
// files next to them, such as a log, are ignored. A file is watched by its folder, since editors
// put another file in its place.
func Watch(names []string, files func() []string, changed func()) (*Watcher, error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := watchBelow(events, name); err != nil {
			events.Close()
			return nil, err
		}
	}
	w := &Watcher{events: events, files: files, finished: make(chan struct{})}
	w.last = w.stamps()
	go w.run(changed)
	return w, nil
}

// stamps returns the state of all files that are read.
func (w *Watcher) stamps() map[string]stamp {
	all := map[string]stamp{}
	for _, name := range w.files() {
		if info, err := os.Stat(name); err == nil {
			all[filepath.Clean(name)] = stamp{info.Size(), info.ModTime()}
		}
	}
	return all
}

// concerns reports whether a change at a place may be one of the files. What keeps growing
// alongside them must not put off the moment at which nothing changes any more.
func (w *Watcher) concerns(name string) bool {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return true // it may have been a folder, or be a link that leads elsewhere now
	}
	_, read := w.last[filepath.Clean(name)]
	return read || slices.Contains(scenarioEndings, filepath.Ext(name))
}

// scenarioEndings are those of scenarios and fixtures.
var scenarioEndings = []string{".yaml", ".http"}

func watchBelow(files *fsnotify.Watcher, name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return files.Add(filepath.Dir(name))
	}
	root := name + string(filepath.Separator) // so that a link to a folder is followed
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
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
		case e, open := <-w.events.Events:
			if !open {
				return
			}
			if e.Has(fsnotify.Create) {
				w.forget(e.Name)
				if info, err := os.Stat(e.Name); err == nil && info.IsDir() {
					watchBelow(w.events, e.Name)
				}
			}
			if e.Op != fsnotify.Chmod && w.concerns(e.Name) {
				still.Reset(quiet)
			}
		case _, open := <-w.events.Errors:
			if !open {
				return
			}
			still.Reset(quiet) // events were lost: read all
		case <-still.C:
			if now := w.stamps(); !maps.Equal(now, w.last) {
				w.last = now
				changed()
				w.last = w.stampsSince(now)
			}
		}
	}
}

// forget drops what is known of a file, or of all in a folder, that is new at its place. It may
// have come while the files were read, and is not known to those who read them then.
func (w *Watcher) forget(name string) {
	name = filepath.Clean(name)
	maps.DeleteFunc(w.last, func(file string, _ stamp) bool {
		return file == name || strings.HasPrefix(file, name+string(filepath.Separator))
	})
}

// stampsSince returns the state of the files that are read now: of those known before as it was
// then, since they may have changed while they were read.
func (w *Watcher) stampsSince(before map[string]stamp) map[string]stamp {
	all := w.stamps()
	for name, known := range before {
		if _, still := all[name]; still {
			all[name] = known
		}
	}
	return all
}

// Close ends it. No call is under way any more when it returns.
func (w *Watcher) Close() error {
	err := w.events.Close()
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
