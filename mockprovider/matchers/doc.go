// Package matchers holds matchers for Gomega that look into the journal of a mock provider: what an application or a
// loop asked, what it was answered, and what is wrong with it.
//
//	run := srv.ForTest(t)
//	...
//	Expect(run).To(HaveRequest(CarryResult("get_weather", "4 C")).Times(1))
//	Expect(run).To(HaveRequestsInOrder(CarryText(ContainSubstring("Oslo")), CarryResult("get_weather", "4 C")))
//	Eventually(run).Should(HaveRequest(BeAnswered(200), AnswerWithCall("book_hotel")))
//	Expect(run).To(HaveNoFindings())
//
// The first argument of Expect is whatever has a journal: a server, a run, the journal itself, or a slice of its entries.
// The matchers of a single request can be combined by those of Gomega, such as Not, And and Or. A failure shows the
// conversation. A history is sent again with every request, so a text or a result is looked for only in what is new in a
// request: what stands behind the model's last message in it.
package matchers
