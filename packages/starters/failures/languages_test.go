package failures_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inPython are the failures of a plain function.
var inPython = failures{
	"stop iteration":          {"StopIteration()", "failing.py:", "in <lambda>"},
	"stop async iteration":    {"StopAsyncIteration()", "failing.py:"},
	"system exit":             {"SystemExit: bye", "failing.py:"},
	"system exit with a code": {"SystemExit: 3", "failing.py:"},
	"keyboard interrupt":      {"KeyboardInterrupt()", "failing.py:"},
	"generator exit":          {"GeneratorExit()", "failing.py:"},
	"cancelled by itself":     {"CancelledError()", "failing.py:"},
	"base exception":          {"BaseException: odd", "failing.py:"},
	"key error":               {"KeyError: 'choices'", "failing.py:"},
	"a library's error":       {"ValueError: 429 try again"},
	"recursion":               {"RecursionError: maximum recursion depth exceeded"},
	"several":                 {"ValueError: first; KeyError: 'second'"},
	"unprintable":             {"Unprintable, whose text cannot be had", "failing.py:"},
	"nothing":                 {"the loop returned nothing, where completed(text)"},
	"text":                    {"the loop returned a value of the type str"},
	"list":                    {"the loop returned a value of the type list"},
	"no status":               {"whose status is None"},
	"odd status":              {"whose status is 'done'"},
	"no JSON":                 {"the outcome cannot be written as JSON", "set"},
	"no number":               {"the outcome cannot be written as JSON", "float"},
	"circular":                {"the outcome cannot be written as JSON", "Circular"},
}

func TestPython(t *testing.T) {
	needs(t, "python3", false)
	for _, way := range []string{"thread", "coroutine", "task", "object"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			p := python(t, way)
			p.test(t, inPython)
			p.testTogether(t, inPython)
			p.testApproval(t)
			p.testSteering(t)
		})
	}
}

func python(t *testing.T, way string) program {
	t.Helper()
	return program{
		command: []string{"python3", absolute(t, "testdata/failing.py")},
		env:     []string{"FAILING=" + way, "PYTHONPATH=" + absolute(t, "../protocol/python"), "PYTHONDONTWRITEBYTECODE=1"},
	}
}

// What fails in a callback, a task or a thread that nobody waits for is printed, as Python does,
// and ends no other task.
func TestPythonWhereNobodyWaits(t *testing.T) {
	needs(t, "python3", false)
	p := python(t, "callback")
	p.play(t, nil, 1, func(ask func(prompts ...string)) {
		ask("fine")
		ask("fine", "fine")
	})
}

// A loop whose client blocks all threads of asyncio hears of further tasks.
func TestPythonBesideBusyThreads(t *testing.T) {
	needs(t, "python3", false)
	p := python(t, "busy")
	p.play(t, nil, 1, func(ask func(prompts ...string)) {
		ask("fine")
		ask("fine")
		ask("fine")
	})
}

// The adapter in one file, as docs/adapters.md shows it, has the failing loop in place of its own.
func TestPythonInOneFile(t *testing.T) {
	needs(t, "python3", false)
	file, err := os.ReadFile(absolute(t, "../one-file/adapter.py"))
	must(t, err)
	failing, err := os.ReadFile(absolute(t, "testdata/failing.py"))
	must(t, err)
	half, _, ours := strings.Cut(string(file), "# The loop: replace it with yours.\n")
	_, loop, theirs := strings.Cut(string(failing), "# The loop.\n")
	loop, _, ends := strings.Cut(loop, "# Its ways.\n")
	if !ours || !theirs || !ends {
		t.Fatal("the loops are not where they were")
	}
	script := filepath.Join(t.TempDir(), "failing.py")
	text := half + "import asyncio\ncompleted = lambda text, **more: {'status': 'completed', 'text': text, **more}\n" + loop +
		"def run(task): return FAILURES[task['prompts'][0]]()\nmain()\n"
	must(t, os.WriteFile(script, []byte(text), 0o666))
	p := program{command: []string{"python3", script}}
	p.testTogether(t, failures{
		"stop iteration":          {"StopIteration"},
		"stop async iteration":    {"StopAsyncIteration"},
		"system exit":             {"SystemExit: bye"},
		"system exit with a code": {"SystemExit: 3"},
		"keyboard interrupt":      {"KeyboardInterrupt"},
		"generator exit":          {"GeneratorExit"},
		"cancelled by itself":     {"CancelledError"},
		"base exception":          {"BaseException: odd"},
		"key error":               {"KeyError: 'choices'"},
		"recursion":               {"RecursionError"},
		"unprintable":             {"Unprintable"},
		"nothing":                 {"the loop returned None"},
		"text":                    {"the loop returned 'an answer'"},
		"odd status":              {"the loop returned {'status': 'done'}"},
		"no JSON":                 {"set is not JSON serializable"},
		"no number":               {"not JSON compliant"},
		"circular":                {"Circular"},
	})
}

// inJavaScript are the failures of which it is known to which task they belong, whatever else goes
// on.
var inJavaScript = failures{
	"undefined":               {"thrown, and no Error: undefined"},
	"null":                    {"thrown, and no Error: null"},
	"text":                    {"thrown, and no Error: 'odd'"},
	"number":                  {"thrown, and no Error: 7"},
	"symbol":                  {"thrown, and no Error: Symbol(odd)"},
	"no prototype":            {"thrown, and no Error: [Object: null prototype] { code: 'odd' }"},
	"error":                   {"429 try again"},
	"error without a message": {"Error without a message (failing.mjs:"},
	"several":                 {"AggregateError: first; thrown, and no Error: 'second'"},
	"mistake":                 {"TypeError: Cannot read properties of undefined", "(failing.mjs:"},
	"recursion":               {"RangeError: Maximum call stack size exceeded", "in deep"},
	"unprintable":             {"an error was thrown whose message cannot be read"},
	"unprintable object":      {"that cannot be printed"},
	"proxy":                   {"cannot be read"},
	"rejection":               {"thrown, and no Error: undefined"},
	"timer":                   {"in a timer"},
	"timer, no error":         {"thrown, and no Error: undefined"},
	"immediate":               {"thrown, and no Error: 'in an immediate'"},
	"next tick":               {"in a tick"},
	"listener":                {"in a listener"},
	"again and again":         {"in an interval"},
	"unhandled":               {"nobody handles it"},
	"unhandled, no error":     {"thrown, and no Error: 'nobody handles it'"},
	"unhandled later":         {"nobody handles it"},
	"exit":                    {"the loop called process.exit(3)"},
	"exit later":              {"the loop called process.exit(3)"},
	"exit caught":             {"the loop called process.exit()"},
	"nothing":                 {"the loop returned undefined, where an outcome is expected"},
	"a text":                  {"the loop returned 'an answer'"},
	"list":                    {"the loop returned [ 'an answer' ]"},
	"no status":               {"the loop returned the status undefined"},
	"odd status":              {"the loop returned the status 'done'"},
	"no JSON":                 {"the outcome cannot be written as JSON", "BigInt"},
	"circular":                {"the outcome cannot be written as JSON", "circular"},
	"unreadable":              {"the loop returned an object that cannot be read: no"},
}

func TestJavaScript(t *testing.T) {
	needs(t, "node", false)
	for _, way := range []string{"plain", "async", "prompts"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			p := program{
				command: []string{"node", absolute(t, "testdata/failing.mjs")},
				env:     []string{"FAILING=" + way, "PROTOCOL=" + absolute(t, "../protocol/node/protocol.mjs")},
			}
			p.test(t, inJavaScript.with(failures{"microtask": {"in a microtask"}})) // Node does not tell whose it is
			p.testTogether(t, inJavaScript)
			if way != "prompts" { // there it fails at once, as all its failures do
				p.testApproval(t)
				p.testSteering(t)
			}
		})
	}
}

func TestJava(t *testing.T) {
	needs(t, "mvn", true)
	p := program{
		command: []string{"java", "-cp", "target/classes" + string(filepath.ListSeparator) + "target/lib/*", "Adapter"},
		dir:     built(t, "java", "src/main/java/Adapter.java", "Adapter.java", "mvn", "--batch-mode", "--quiet", "package"),
	}
	table := failures{
		"exception":             {"java.lang.Exception: 429 try again"},
		"without a message":     {"java.lang.IllegalStateException (Adapter.run(Adapter.java:"},
		"null pointer":          {"java.lang.NullPointerException", "(Adapter.run(Adapter.java:"},
		"index":                 {"OutOfBoundsException"},
		"no element":            {"java.util.NoSuchElementException"},
		"class cast":            {"java.lang.ClassCastException", "(Adapter.run(Adapter.java:"},
		"throwable":             {"java.lang.Throwable: odd"},
		"error":                 {"java.lang.AssertionError: odd", "(Adapter.run(Adapter.java:"},
		"thread death":          {"java.lang.ThreadDeath", "(Adapter.run(Adapter.java:"},
		"stack overflow":        {"java.lang.StackOverflowError", "(Adapter.deep(Adapter.java:"},
		"out of memory":         {"java.lang.OutOfMemoryError: odd"},
		"unprintable":           {"Adapter$Unprintable, whose text cannot be had"},
		"without a text":        {"Adapter$WithoutText"},
		"interrupted by itself": {"java.lang.InterruptedException (Adapter.run(Adapter.java:"},
		"nothing":               {"the loop returned null, where Outcome.completed, stopped or failed is expected"},
		"no status":             {"the loop returned the status null"},
		"odd status":            {"the loop returned the status done"},
	}
	p.test(t, table)
	p.testTogether(t, table)
	p.testApproval(t)
	p.testSteering(t)
}

func TestRust(t *testing.T) {
	needs(t, "cargo", true)
	folder := built(t, "rust", "src/main.rs", "main.rs", "cargo", "build", "--quiet")
	p := program{command: []string{filepath.Join(folder, "target", "debug", "my-loop-adapter")}}
	table := failures{
		"error":                          {"429 try again"},
		"error without a text":           {"the loop returned an error without a text"},
		"unprintable":                    {"panicked: a Display implementation returned an error unexpectedly"},
		"panics when printed":            {"panicked: no text (src/main.rs:"},
		"panic":                          {"panicked: odd (src/main.rs:"},
		"panic with a number":            {"panicked: odd 1 (src/main.rs:"},
		"panic with a value":             {"panicked: with a value that is no text (src/main.rs:"},
		"panic with a value that panics": {"panicked: with a value that is no text (src/main.rs:"},
		"resumed":                        {"panicked: again"},
		"unwrap":                         {"panicked: called `Option::unwrap()` on a `None` value (src/main.rs:"},
		"index":                          {"panicked: index out of bounds", "(src/main.rs:"},
		"panic in a thread":              {"a thread panicked"},
	}
	p.test(t, table)
	p.testTogether(t, table)
	p.testApproval(t)
	p.testSteering(t)
}
