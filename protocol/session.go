package protocol

// Session is a conversation that outlives the process of the loop. Its process is killed in the
// middle of the task, and started again with a task of the same session and the same prompts: the
// loop goes on where it was, and reports the outcome of the whole conversation.
//
// A loop in Go is not killed: the context of its task ends. Nothing counts that it does from then
// on, and what it writes does not reach the second task, whose Dir is a copy of the first at that
// moment.
type Session struct {
	ID  string `json:"id"`  // the same in both tasks, and in no other
	Dir string `json:"dir"` // a directory for what the loop stores, empty at first; an absolute path

	// Resumed says that the process was killed during an earlier task of this session. What of it
	// was stored is for the loop to find out: it may be nothing.
	Resumed bool `json:"resumed,omitempty"`
}
