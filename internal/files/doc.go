// Package files reads and writes files as a tool has to that is given folders by strangers, and
// whose files others read.
//
// A folder may come with a pull request, and what is in its files gets into logs and reports: [In]
// reads the files of a folder without leaving it, be it by a name with .. or by a symbolic link.
// Links within the folder are followed, as in volumes of Kubernetes, and the folder itself may be a
// link.
//
// A file is written whole or not at all: a reader sees the earlier file until then, and a full disk
// leaves that as it was.
//
//	all, err := scenarios.Load(files.In("scripts"), vocabulary)
//	err = files.Write("report.json", report.Write)
package files
