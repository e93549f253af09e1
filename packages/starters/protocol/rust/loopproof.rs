//! The half of an adapter that is the same for every loop in Rust, to be copied; it needs serde, serde_json and ureq. It
//! says hello, reads a task a line from standard input, runs each in a thread, and writes an outcome a line to standard
//! output. Standard output is for the protocol: print to standard error.
//!
//! A panic of the loop is a failure of its task, with its message and its place. One that ends the process (`panic =
//! "abort"`, a stack overflow, `process::exit`) is left to Loopproof, which starts the program again.
//!
//! A loop that can be cancelled looks at `task.cancelled()` while it waits, and `task.each_prompt` asks one prompt after the
//! other as the task wants them.
#![allow(dead_code)] // no adapter needs all of it

use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::panic::{self, catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{mpsc, Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Who the loop is, and what it claims. Only the name is needed: `Hello { name: "my loop", ..Hello::default() }`.
#[derive(Default)]
pub struct Hello {
    pub name: &'static str,
    pub version: &'static str,
    pub dialects: &'static [&'static str], // none: chat
    pub features: &'static [&'static str],
    pub concurrency: usize, // 0: one
}

/// One conversation.
#[derive(Deserialize)]
pub struct Task {
    pub id: String,
    pub base_url: String,
    pub api_key: String,
    pub model: String,
    pub profile: String, // the provider that is played
    pub stream: bool,
    #[serde(default)]
    pub system: String,
    pub prompts: Vec<String>,
    pub tools: Vec<Tool>,
    pub max_turns: usize,
    pub timeout_ms: u64,
    #[serde(default)]
    pub fallback_model: String, // to ask where model keeps failing; "": there is none
    #[serde(default)]
    pub prompt_models: Vec<String>, // of each prompt, chosen by the user; empty: model is for all
    #[serde(default)]
    pub second_api: Option<Api>, // where the other model is asked that these name, in another wire API; None: as model is
    #[serde(default)]
    pub mcp_url: String, // an MCP server with the tools, over streamable HTTP
    #[serde(default)]
    pub mcp_tools: bool, // the tools are to be taken from mcp_url, and tools is empty; only for loops that claim it
    #[serde(default)]
    pub answer_schema: Option<Value>, // JSON Schema of the answer; None: a text of any form
    #[serde(default)]
    pub token_budget: usize, // tokens that the answer to each prompt may cost; 0: nothing is said of it
    #[serde(default)]
    pub compact_threshold: usize, // input tokens at which the provider is asked to make the history shorter; 0: it is not asked
    #[serde(default)]
    pub context_limit: usize, // tokens of four bytes that a request may have; 0: nothing is said of it
    pub session: Option<Session>, // where the conversation is stored, for loops that claim durable-sessions
    #[serde(default)]
    pub resume_after_failure: bool, // the next prompt follows also after one without an answer
    #[serde(default)]
    pub steering: bool, // the user says one more prompt while tools run; only for loops that claim it
    #[serde(skip)]
    asking: Arc<Asking>,
}

/// Where a model of another provider is asked, in another wire API, with the key of the task.
#[derive(Clone, Deserialize)]
pub struct Api {
    pub model: String,
    pub dialect: String,
    pub base_url: String,
    pub profile: String,
}

/// A conversation that outlives its process, which is killed and started again with the same session and prompts.
#[allow(dead_code)] // a loop that does not claim it has no use for it
#[derive(Clone, Deserialize)]
pub struct Session {
    pub id: String,
    pub dir: String, // for what the loop stores, which survives
    #[serde(default)]
    pub resumed: bool, // the process was killed during an earlier task of this session
}

/// What the user has cancelled of a task.
#[derive(Default)]
struct Asking {
    cancelled: AtomicBool,  // the task
    taken_back: AtomicBool, // the prompt at which it is
    at_prompt: AtomicBool,
    questions: Mutex<Vec<mpsc::Sender<Vec<Decision>>>>, // whether calls may be run
    said: Mutex<Vec<String>>, // while tools ran
}

/// What the user has decided about a call.
#[derive(Clone, Deserialize)]
pub struct Decision {
    pub approve: bool,
    #[serde(default)]
    pub reason: String, // why not, meant for the model
    pub arguments: Option<Value>, // to run the call with instead of its own
}

/// A call about which the user is asked.
pub struct PendingCall<'a> {
    pub id: &'a str, // empty where the loop does not tell it
    pub name: &'a str,
    pub arguments: &'a Value,
}

/// What a loop reports to its caller instead of an answer.
pub type Error = Box<dyn std::error::Error>;

impl Task {
    /// Whether the user has cancelled the task, or the prompt at which it is.
    pub fn cancelled(&self) -> bool {
        self.asking.cancelled.load(SeqCst) || self.asking.taken_back.load(SeqCst)
    }

    /// What the user has said while tools ran, once; None where that is nothing, or nothing more. It does not wait.
    pub fn steered(&self) -> Option<String> {
        let mut said = self.asking.said.lock().unwrap();
        (!said.is_empty()).then(|| said.remove(0))
    }

    /// Asks the user about calls of tools that need an approval, and waits for a decision about each. None: the user has
    /// cancelled the task or the prompt instead.
    pub fn tool_approvals(&self, calls: &[PendingCall]) -> Option<Vec<Decision>> {
        let (answer, answered) = mpsc::channel();
        let number = {
            let mut questions = self.asking.questions.lock().unwrap();
            questions.push(answer);
            questions.len() - 1
        };
        let calls: Vec<Value> = calls
            .iter()
            .map(|call| {
                let mut shown = json!({"name": call.name, "arguments": call.arguments});
                if !call.id.is_empty() {
                    shown["id"] = json!(call.id);
                }
                shown
            })
            .collect();
        say(&json!({"type": "approval", "id": self.id, "approval": number.to_string(), "calls": calls}));
        while !self.cancelled() {
            if let Ok(decisions) = answered.recv_timeout(Duration::from_millis(20)) {
                return Some(decisions);
            }
        }
        None
    }

    /// The same for one call.
    pub fn tool_approval(&self, name: &str, arguments: &Value, call_id: &str) -> Option<Decision> {
        self.tool_approvals(&[PendingCall { id: call_id, name, arguments }])?.pop()
    }

    /// Asks one prompt after the other, until one has no answer to go on from (false) or fails. The next one follows
    /// nevertheless where the user cancelled only that prompt, and in a task that resumes after a failure.
    pub fn each_prompt(&self, mut ask: impl FnMut(&str) -> Result<bool, Error>) -> Result<(), Error> {
        let mut last = Ok(());
        for prompt in &self.prompts {
            self.asking.taken_back.store(false, SeqCst);
            self.asking.at_prompt.store(true, SeqCst);
            let asked = ask(prompt);
            self.asking.at_prompt.store(false, SeqCst);
            if self.asking.cancelled.load(SeqCst) {
                return Err("cancelled".into());
            }
            if self.asking.taken_back.load(SeqCst) {
                last = Err("cancelled".into());
                continue;
            }
            let more = *asked.as_ref().unwrap_or(&false);
            last = asked.map(|_| ());
            if !more && !self.resume_after_failure {
                break;
            }
        }
        last
    }
}

/// A tool of a task.
#[derive(Clone, Deserialize)]
pub struct Tool {
    pub name: String,
    pub description: String,
    pub parameters: Value, // JSON Schema
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub needs_approval: bool, // of the user, before each call; only for loops that claim tool-approvals
    #[serde(default)]
    pub programmatic: bool, // code of the provider may call it; only for loops that claim programmatic-tools
    #[serde(default)]
    pub agent: Option<Agent>, // the sub-agent that answers calls, instead of the URL; only for loops that claim sub-agents
}

/// A sub-agent. Each call begins a conversation with it, whose last answer is the result of the call.
#[derive(Clone, Deserialize)]
pub struct Agent {
    pub system: String,
    pub tools: Vec<Tool>,
    pub max_turns: usize, // of each conversation
}

impl Tool {
    /// Runs the tool and returns its text, or the message of its failure.
    pub fn run(&self, arguments: &Value, call_id: &str) -> Result<String, String> {
        self.run_within(None, arguments, call_id)
    }

    /// The same for a loop that waits for a tool only so long.
    pub fn run_within(&self, timeout: Option<Duration>, arguments: &Value, call_id: &str) -> Result<String, String> {
        let agent: ureq::Agent =
            ureq::Agent::config_builder().http_status_as_error(false).timeout_global(timeout).build().into();
        let mut request = agent.post(&self.url).header("Content-Type", "application/json");
        if !call_id.is_empty() {
            request = request.header("X-Tool-Call-Id", call_id);
        }
        let mut answer = request.send(arguments.to_string()).map_err(|error| error.to_string())?;
        let text = answer.body_mut().read_to_string().map_err(|error| error.to_string())?;
        if answer.status() == 200 { Ok(text) } else { Err(text) }
    }
}

/// How a conversation ended, as the loop tells its caller.
#[derive(Serialize)]
pub struct Outcome {
    status: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    text: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    error: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    finish_reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Usage>,
}

/// The tokens of a task.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
}

impl Outcome {
    pub fn completed(text: String) -> Outcome {
        Outcome { text, ..Outcome::with("completed") }
    }

    pub fn failed(error: String) -> Outcome {
        Outcome { error, ..Outcome::with("failed") }
    }

    pub fn stopped(reason: String) -> Outcome {
        Outcome { reason, ..Outcome::with("stopped") }
    }

    fn with(status: &'static str) -> Outcome {
        Outcome { status, text: String::new(), error: String::new(), reason: String::new(), finish_reason: String::new(), usage: None }
    }

    /// The same with the text that there is, of a run that stopped.
    pub fn saying(self, text: String) -> Outcome {
        Outcome { text, ..self }
    }

    /// The same with the finish reason of the last answer, as the loop tells it.
    pub fn because(self, finish_reason: String) -> Outcome {
        Outcome { finish_reason, ..self }
    }

    /// The same with the sum of the tokens of the task.
    pub fn used(self, usage: Usage) -> Outcome {
        Outcome { usage: Some(usage), ..self }
    }
}

/// What holds the conversation of one task. Its error is what the loop reported to its caller.
pub type Run = fn(&Task) -> Result<Outcome, Error>;

/// Says hello, and runs every task until standard input ends.
pub fn serve(hello: Hello, run: Run) {
    let dialects = if hello.dialects.is_empty() { &["chat"] } else { hello.dialects };
    say(&json!({"type": "hello", "protocol": 2, "language": "rust", "name": hello.name, "version": hello.version,
        "dialects": dialects, "features": hello.features, "concurrency": hello.concurrency.max(1)}));
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(|at| format!(" ({}:{})", at.file(), at.line()));
        PANICKED.with(|panicked| *panicked.borrow_mut() = place.unwrap_or_default());
        print(panic);
    }));
    let (tasks, next) = mpsc::channel::<Task>();
    let next = Arc::new(Mutex::new(next));
    let workers: Vec<_> = (0..hello.concurrency.max(1))
        .map(|_| {
            let next = next.clone();
            thread::spawn(move || loop {
                let task = next.lock().unwrap().recv();
                match task {
                    Ok(task) => carry_out(&task, run),
                    Err(_) => return,
                }
            })
        })
        .collect();
    let mut asked: HashMap<String, Arc<Asking>> = HashMap::new();
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line.expect("standard input is UTF-8")).expect("a line is JSON");
        if message["type"] == "task" {
            let task: Task = serde_json::from_value(message).expect("a task");
            asked.retain(|_, asking| Arc::strong_count(asking) > 1); // the others have ended
            asked.insert(task.id.clone(), task.asking.clone());
            tasks.send(task).expect("a worker");
        } else if message["type"] == "decision" {
            let Some(asking) = asked.get(message["id"].as_str().unwrap_or_default()) else { continue };
            let number = message["approval"].as_str().and_then(|number| number.parse::<usize>().ok());
            if let Some(question) = number.and_then(|n| asking.questions.lock().unwrap().get(n).cloned()) {
                question.send(serde_json::from_value(message["decisions"].clone()).expect("decisions")).ok();
            }
        } else if message["type"] == "prompt" {
            let Some(asking) = asked.get(message["id"].as_str().unwrap_or_default()) else { continue };
            asking.said.lock().unwrap().push(message["text"].as_str().unwrap_or_default().to_string());
        } else if message["type"] == "cancel" {
            let Some(asking) = asked.get(message["id"].as_str().unwrap_or_default()) else { continue };
            let only_prompt = message["scope"] == "prompt" && asking.at_prompt.load(SeqCst);
            let flag = if only_prompt { &asking.taken_back } else { &asking.cancelled };
            flag.store(true, SeqCst);
        }
    }
    drop(tasks);
    for worker in workers {
        worker.join().ok();
    }
}

thread_local! {
    static PANICKED: RefCell<String> = const { RefCell::new(String::new()) }; // where this thread panicked last
}

/// Reports exactly one outcome for a task, whatever happens.
fn carry_out(task: &Task, run: Run) {
    let outcome = match catch_unwind(AssertUnwindSafe(|| run(task).map_err(|error| error.to_string()))) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) if task.cancelled() => Outcome::stopped("cancelled".to_string()),
        Ok(Err(error)) if error.is_empty() => Outcome::failed("the loop returned an error without a text".to_string()),
        Ok(Err(error)) => Outcome::failed(error),
        Err(payload) => Outcome::failed(format!("panicked: {}{}", said(payload), PANICKED.take())),
    };
    let mut line = serde_json::to_value(outcome).expect("an outcome is JSON");
    line["type"] = json!("outcome");
    line["id"] = json!(task.id);
    say(&line);
}

/// What a panic says. Most say a text, and any value is possible.
fn said(payload: Box<dyn Any + Send>) -> String {
    let text = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => text.to_string(),
        (_, Some(text)) => text.clone(),
        _ => "with a value that is no text".to_string(),
    };
    std::mem::forget(payload); // which could panic when it is dropped
    text
}

fn say(line: &Value) {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).expect("standard output is open");
}
