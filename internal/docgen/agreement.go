package main

import (
	"os"

	"github.com/loopproof/loopproof/internal/agreement"
)

// agreementPage writes how the profiles agree with the code of real servers, as it was last run.
func agreementPage() ([]byte, error) {
	page, err := agreement.Page(os.DirFS("lab/oracles/results"))
	return append([]byte(generated), page...), err
}
