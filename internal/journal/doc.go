// Package journal remembers what a mock provider was asked, what it answered, and what is wrong
// with the requests. It is asked by filters, waited for, and summed up as a report:
//
//	entries := srv.Journal().Entries()
//	found := journal.Filter{Result: "4 C"}.Of(entries)
//	fmt.Println(len(found), journal.Text(found))
//
// Keys never get into it: the headers and query values that carry them are redacted before they are
// kept.
package journal
