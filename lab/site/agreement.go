package main

import (
	"io/fs"

	"github.com/loopproof/loopproof/lab/agreement"
)

// agreementPage writes how the profiles agree with the code of real servers, as it was last run.
func agreementPage(repo fs.FS) ([]byte, error) {
	results, err := fs.Sub(repo, "lab/oracles/results")
	if err != nil {
		return nil, err
	}
	return agreement.Page(results)
}
