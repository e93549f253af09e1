package loops

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// ask gives tasks with these prompts to an adapter at the same time, in the way in which the player
// does, and returns how they ended. Tasks without a model are answered with their prompt.
func ask(session Session, timeout time.Duration, prompts ...string) []Ending {
	return askEach(session, func(string) time.Duration { return timeout }, prompts...)
}

// askEach is ask with a time for each prompt.
func askEach(session Session, timeOf func(prompt string) time.Duration, prompts ...string) []Ending {
	endings := make([]Ending, len(prompts))
	var alone sync.RWMutex // held by a task that was lost
	var playing sync.WaitGroup
	for i, prompt := range prompts {
		playing.Go(func() {
			timeout := timeOf(prompt)
			var losses []Ending
			for range MaxLosses {
				task := protocol.Task{Type: "task", ID: prompt + "-" + rand.Text(), Prompts: []string{prompt}, TimeoutMS: int(timeout.Milliseconds())}
				enter, leave := alone.RLock, alone.RUnlock
				if len(losses) > 0 {
					enter, leave = alone.Lock, alone.Unlock
				}
				enter()
				settle := session.(Fallible).Prepare(context.Background(), losses)
				ctx, cancel := context.WithTimeout(context.Background(), timeout)
				endings[i] = session.RunTask(ctx, task)
				cancel()
				settle(endings[i])
				leave()
				if losses = append(losses, endings[i]); endings[i].How != Lost {
					return
				}
			}
		})
	}
	playing.Wait()
	return endings
}

func open(t *testing.T, a Adapter) Session {
	t.Helper()
	session, err := a.Open(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// wantAnswer demands that a task was answered with its prompt.
func wantAnswer(t *testing.T, e Ending, prompt string) {
	t.Helper()
	if e.How != trace.Reported || e.Outcome.Text != prompt {
		t.Errorf("%s ended as %q with %+v: %s", prompt, e.How, e.Outcome, e.Note)
	}
}

// wantEnding demands an ending without an outcome, in certain words.
func wantEnding(t *testing.T, e Ending, how trace.How, says ...string) {
	t.Helper()
	if e.How != how || e.Outcome != nil {
		t.Fatalf("it ended as %q with %+v, want %q: %s", e.How, e.Outcome, how, e.Note)
	}
	for _, s := range says {
		if !strings.Contains(e.Note, s) {
			t.Errorf("the note is %q, want it to say %q", e.Note, s)
		}
	}
}

// wantFaults closes a session and demands faults in certain words, or none.
func wantFaults(t *testing.T, session Session, says ...string) {
	t.Helper()
	session.Close()
	err := session.(Fallible).Faults()
	if len(says) == 0 && err != nil {
		t.Errorf("there are faults: %v", err)
	}
	for _, s := range says {
		if err == nil || !strings.Contains(err.Error(), s) {
			t.Errorf("the faults are %v\nwant them to say %q", err, s)
		}
	}
}

// ample is time for what ends by itself, on a machine that has much else to do, too.
const ample = time.Minute

func TestAdapterAnswers(t *testing.T) {
	t.Parallel()
	session := open(t, adapter("good", ""))
	if h := session.Hello(); h.Name != "test adapter" || h.Concurrency != 8 || !slices.Contains(h.Features, protocol.Streaming) {
		t.Errorf("it claims %+v", h)
	}
	prompts := []string{"Oslo", "Lima", "Rome"}
	for i, e := range ask(session, ample, prompts...) {
		wantAnswer(t, e, prompts[i])
	}
	wantFaults(t, session)
}

func TestAdapterAnswersOutOfOrder(t *testing.T) {
	t.Parallel()
	session := open(t, adapter("answers-backwards", "3"))
	prompts := []string{"Oslo", "Lima", "Rome"}
	for i, e := range ask(session, ample, prompts...) {
		wantAnswer(t, e, prompts[i])
	}
	wantFaults(t, session)
}

func TestAdapterBreaksTheProtocol(t *testing.T) {
	t.Parallel()
	for mode, says := range map[string][]string{
		"answers-twice":    {"reported two outcomes for one task", `of its standard output: "{\"type\":\"outcome\",\"id\":\"`},
		"answers-stranger": {"reported an outcome for a task that it was not given (2 times)", "t-of-somebody-else"},
		"chatters": {"printed a line that is not JSON; standard output is for the protocol, logs belong on standard error (2 times)",
			`line 2 of its standard output: "calling the model"`, `printed a line of the unknown type "progress"`},
	} {
		t.Run(mode, func(t *testing.T) {
			session := open(t, adapter(mode, ""))
			for _, prompt := range []string{"Oslo", "Lima"} {
				wantAnswer(t, ask(session, ample, prompt)[0], prompt)
			}
			wantFaults(t, session, append(says, "the adapter broke the protocol:")...)
		})
	}
}

func TestAdapterReportsNoOutcome(t *testing.T) {
	t.Parallel()
	session := open(t, adapter("bad-status", "Oslo"))
	wantEnding(t, ask(session, ample, "Oslo")[0], trace.Crashed, `"status" has the unknown word "complete" (did you mean "completed"?)`)
	wantAnswer(t, ask(session, ample, "Lima")[0], "Lima")
	wantFaults(t, session, "reported an outcome that does not fit the protocol", "Oslo")

	session = open(t, adapter("bad-types", ""))
	wantEnding(t, ask(session, ample, "Oslo")[0], trace.Crashed, `"text" cannot be a array`)
	wantFaults(t, session, `"text" cannot be a array`)
}

func TestAdapterDiesOfOneTask(t *testing.T) {
	t.Parallel()
	session := open(t, adapter("dies", "Oslo"))
	endings := ask(session, ample, "Lima", "Oslo", "Rome", "Bern")
	wantEnding(t, endings[1], trace.Crashed, "it ended with the exit code 7", "panic: Oslo")
	for i, prompt := range map[int]string{0: "Lima", 2: "Rome", 3: "Bern"} {
		wantAnswer(t, endings[i], prompt)
	}
	wantAnswer(t, ask(session, ample, "Kiel")[0], "Kiel")
	wantFaults(t, session) // it is a finding about the loop
}

func TestAdapterDiesOfCrowds(t *testing.T) {
	t.Parallel()
	session := open(t, adapter("dies-crowded", ""))
	prompts := []string{"Oslo", "Lima"}
	for i, e := range ask(session, ample, prompts...) {
		wantAnswer(t, e, prompts[i])
	}
	wantFaults(t, session, "the adapter ended with the exit code 8 while it had the task", `("Oslo")`, `("Lima")`,
		"not when it was given the same again alone")
}

func TestAdapterDiesAfterItsOutcome(t *testing.T) {
	t.Parallel()
	session := open(t, adapter("dies-afterwards", "Oslo"))
	first := session.(*adapterSession).conn
	for _, prompt := range []string{"Oslo", "Lima"} { // it dies under the second or after it: both are to be told
		wantAnswer(t, ask(session, ample, prompt)[0], prompt)
	}
	<-first.gone
	wantFaults(t, session, "exit code 9", "unhandled rejection")
}

func TestAdapterEndsAfterEachTask(t *testing.T) {
	t.Parallel()
	session := open(t, adapter("answers-once", ""))
	for _, prompt := range []string{"Oslo", "Lima"} {
		wantAnswer(t, ask(session, ample, prompt)[0], prompt)
		<-session.(*adapterSession).conn.gone
	}
	wantFaults(t, session, "ended between two tasks, and has to wait for more until its standard input ends (2 times)", "exit code 0")
}

func TestAdapterThatCannotBeStartedAgain(t *testing.T) {
	t.Parallel()
	session := open(t, adapter("dies-for-good", t.TempDir()+"/died"))
	for _, e := range ask(session, ample, "Oslo", "Lima") {
		if e.How != Lost && e.How != trace.Crashed {
			t.Errorf("it ended as %q: %s", e.How, e.Note)
		}
	}
	wantEnding(t, ask(session, ample, "Rome")[0], Lost)
	wantFaults(t, session, "could not be started again", "exit code 10")
}

func TestAdapterIsStartedAgainSoOften(t *testing.T) {
	t.Parallel()
	session := open(t, adapter("dies", "Oslo"))
	session.(*adapterSession).restarts = maxRestarts - 1
	wantEnding(t, ask(session, ample, "Oslo")[0], trace.Crashed)
	wantEnding(t, ask(session, ample, "Oslo")[0], trace.Crashed)
	wantEnding(t, ask(session, ample, "Lima")[0], Lost)
	wantFaults(t, session, "given up after 30 restarts and 0 outcomes")
}

// An adapter that ends early again and again is started again as long as most tasks have an outcome.
func TestAdapterEarnsRestarts(t *testing.T) {
	t.Parallel()
	session := open(t, adapter("dies", "Oslo"))
	for range tasksPerRestart {
		wantAnswer(t, ask(session, ample, "Lima")[0], "Lima")
	}
	session.(*adapterSession).restarts = maxRestarts - 1
	wantEnding(t, ask(session, ample, "Oslo")[0], trace.Crashed)
	wantAnswer(t, ask(session, ample, "Lima")[0], "Lima") // started again for the second time, which was earned
	wantEnding(t, ask(session, ample, "Oslo")[0], Lost)
	wantFaults(t, session, "given up after 31 restarts and 6 outcomes")
}

// patient returns an adapter that is waited for when time is up.
func patient(a Adapter) Adapter {
	a.Patience = ample
	return a
}

// short is time for what never ends, and still enough for a program that does.
const short = time.Second

func TestAdapterNeverAnswers(t *testing.T) {
	t.Parallel()
	session := open(t, adapter("never-answers", ""))
	wantEnding(t, ask(session, short, "Oslo")[0], trace.Hung, "no outcome in time", "thinking")
	wantFaults(t, session)
}

func TestAdapterAnswersTooLate(t *testing.T) {
	t.Parallel()
	session := open(t, patient(adapter("answers-late", "")))
	wantEnding(t, ask(session, short, "Oslo")[0], trace.Hung, "no outcome in time", "later it reported the status completed")
	wantFaults(t, session)
}

func TestAdapterHangsInOneTask(t *testing.T) {
	t.Parallel()
	session := open(t, adapter("hangs", "Oslo"))
	hung := make(chan Ending, 1)
	go func() { hung <- ask(session, 5*short, "Oslo")[0] }() // it has to answer others in the second half, also on a busy machine
	for len(hung) == 0 {                                     // it continues with others all the time
		wantAnswer(t, ask(session, ample, "Lima")[0], "Lima")
		time.Sleep(short / 20)
	}
	wantEnding(t, <-hung, trace.Hung, "no outcome in time")
	if restarts := session.(*adapterSession).restarts; restarts != 0 {
		t.Errorf("it was started again %d times", restarts)
	}
	wantFaults(t, session)
}

func TestAdapterBlocksOnOneTask(t *testing.T) {
	t.Parallel()
	session := open(t, adapter("blocks", "Oslo"))
	timeOf := func(prompt string) time.Duration {
		if prompt == "Oslo" {
			return short
		}
		return ample // the adapter is started again for them
	}
	endings := askEach(session, timeOf, "Oslo", "Lima", "Rome")
	wantEnding(t, endings[0], trace.Hung, "no outcome in time")
	wantAnswer(t, endings[1], "Lima")
	wantAnswer(t, endings[2], "Rome")
	wantFaults(t, session)
}

func TestAdapterIsToldToCancel(t *testing.T) {
	t.Parallel()
	session := open(t, patient(adapter("cancels", "")))
	wantEnding(t, ask(session, short, "Oslo")[0], trace.Hung, "later it reported the status stopped")
	wantFaults(t, session)
}

func TestAdapterPrintsAnEndlessLine(t *testing.T) {
	t.Parallel()
	session := open(t, adapter("long-line", "Oslo"))
	endings := ask(session, ample, "Oslo", "Lima")
	wantEnding(t, endings[0], trace.Crashed, "it printed a line of more than 8 MB")
	wantAnswer(t, endings[1], "Lima")
	wantFaults(t, session, "printed a line of more than 8 MB")
}

func TestAdapterIsLoud(t *testing.T) {
	t.Parallel()
	session := open(t, adapter("loud", ""))
	e := ask(session, ample, "Oslo")[0]
	wantAnswer(t, e, "Oslo")
	if e.Note == "" || len(e.Note) > 2*maxTail {
		t.Errorf("the note has %d bytes", len(e.Note))
	}
	wantFaults(t, session)
	if last := session.(*adapterSession).conn.process.stderr.String(); !strings.HasSuffix(last, "the last line") {
		t.Errorf("its standard error ends with %q", last)
	}
}

func TestAdapterClosesItsStreams(t *testing.T) {
	t.Parallel()
	for mode, says := range map[string]string{
		"closes-stdin":  "closed its standard input, but did not end",
		"closes-stdout": "closed its standard output, but did not end",
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			session := open(t, adapter(mode, ""))
			wantEnding(t, ask(session, ample, "Oslo")[0], trace.Crashed, says)
			wantFaults(t, session)
		})
	}
}
