package main

import (
	"fmt"
	"strings"
)

// Marks in the files of packages/java that stand for what only a release knows.
const (
	versionMark   = "0.0.0-dev"
	artifactsMark = "<!-- the jars of the release -->"
)

// maven returns the folder that Maven builds and publishes: the projects of packages/java in the
// version of the release, and a jar with each binary. Maven compiles the Java, since it alone knows
// the dependencies.
func (r release) maven() ([]artifact, error) {
	files, err := r.folder("packages/java")
	if err != nil {
		return nil, err
	}
	var made []artifact
	attached := ""
	for _, b := range r.binaries {
		classifier := b.os + "-" + b.arch
		file := fmt.Sprintf("loopproof-binary-%s-%s.jar", r.version, classifier)
		jar, err := zipped([]entry{
			{name: "META-INF/MANIFEST.MF", data: []byte("Manifest-Version: 1.0\r\n\r\n")},
			{name: "dev/loopproof/binary/" + classifier + "/" + b.binary(), data: b.data},
		})
		if err != nil {
			return nil, err
		}
		made = append(made, artifact{"maven/binary/" + file, jar})
		attached += fmt.Sprintf("<artifact><file>%s</file><type>jar</type><classifier>%s</classifier></artifact>\n                ", file, classifier)
	}
	for _, f := range files {
		text := string(f.data)
		if strings.HasSuffix(f.name, "pom.xml") {
			text = strings.ReplaceAll(strings.ReplaceAll(text, versionMark, r.version), artifactsMark, strings.TrimSpace(attached))
		}
		made = append(made, artifact{"maven/" + f.name, []byte(text)})
	}
	return made, nil
}
