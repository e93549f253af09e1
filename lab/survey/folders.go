package main

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// withoutFolders writes a stored report again as one that was played anywhere: texts of programs,
// such as a stack trace, name the folder of the repository, and commands that of a library that was
// fetched by hand.
func withoutFolders(file, checkout string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	text := string(data)
	if checkout != "" {
		where, err := filepath.Abs(checkout)
		if err != nil {
			return err
		}
		text = relative(text, where, "../"+filepath.Base(where))
	}
	return os.WriteFile(file, []byte(relative(text, root, ".")), 0o666)
}

// relative names what is in a folder by another path to it. Of a text that was shortened in the
// name of the folder, the rest of the name is left out.
func relative(text, folder, by string) string {
	if !strings.HasPrefix(folder, "/") || path.Dir(folder) == "/" { // a text may well name /work, and not mean this one
		return text
	}
	pairs := []string{folder + "/", strings.TrimPrefix(by+"/", "./")}
	for _, end := range []string{`"`, `\"`, " "} {
		pairs = append(pairs, folder+end, by+end)
	}
	for cut := folder[:len(folder)-1]; path.Dir(strings.TrimSuffix(cut, "/")) != "/"; cut = cut[:len(cut)-1] {
		pairs = append(pairs, cut+`"`, `"`, cut+`\"`, `\"`)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
