// Package matchers has Gomega matchers for the journal of a mock provider: for requests, their
// responses, and findings.
//
//	run := srv.ForTest(t)
//	...
//	Expect(run).To(HaveRequest(CarryResult("get_weather", "4 C")).Times(1))
//	Expect(run).To(HaveRequestsInOrder(CarryText(ContainSubstring("Oslo")), CarryResult("get_weather", "4 C")))
//	Eventually(run).Should(HaveRequest(BeAnswered(200), AnswerWithCall("book_hotel")))
//	Expect(run).To(HaveNoFindings())
//
// The first argument of Expect is anything with a journal: a server, a run, the journal itself, or
// a slice of its entries. Matchers of single requests can be combined with those of Gomega, such as
// Not, And and Or. A failure message shows the conversation. Since every request repeats the
// history, texts and results are searched only in the new part of a request, after the last message
// of the model.
package matchers
