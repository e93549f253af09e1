package main

import (
	"bytes"
	"io/fs"
	"path"
	"text/template"

	"github.com/loopproof/loopproof/lab/internal/matrix"
	"github.com/loopproof/loopproof/lab/internal/pairs"
)

// results adds the pages of the folder of results: what was found in each loop, made of its
// description and of its last result, those that people wrote, and what came of bugs and their
// fixes.
func results(repo fs.FS, documents map[string]*document) error {
	loops, err := matrix.Load(matrix.ResultsFolder, "")
	if err != nil {
		return err
	}
	for _, l := range loops {
		file := path.Join(matrix.ResultsFolder, l.Name, matrix.LoopFileName)
		documents[matrix.SitePage(file)] = parseOthers([]byte(l.Page()), path.Dir(file))
	}
	written, err := fs.Glob(repo, matrix.ResultsFolder+"/*.md")
	if err != nil {
		return err
	}
	for _, file := range written {
		text, err := fs.ReadFile(repo, file)
		if err == nil && file == matrix.OddAnswersFile {
			text, err = oddAnswers(text, loops)
		}
		if err != nil {
			return err
		}
		documents[matrix.SitePage(file)] = parse(text, matrix.ResultsFolder)
	}
	before, err := pairs.Page()
	documents[matrix.SitePage(pairs.ListFile)] = parse([]byte(before), path.Dir(pairs.ListFile))
	return err
}

// oddAnswers puts the tables into the page of odd answers.
func oddAnswers(page []byte, loops []*matrix.Loop) ([]byte, error) {
	tables, err := matrix.CompareOddAnswers(loops)
	if err != nil {
		return nil, err
	}
	t, err := template.New(matrix.OddAnswersFile).Parse(string(page))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, tables)
	return b.Bytes(), err
}
