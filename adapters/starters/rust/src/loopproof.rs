//! The half of an adapter that is the same for every loop in Rust, to be copied: it says hello, reads a task a line from
//! standard input, runs each in a thread, and writes an outcome a line to standard output. Standard output is for the
//! protocol: print to standard error.

use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
use std::io::{self, BufRead, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{mpsc, Arc, Mutex};
use std::thread;

/// Who the loop is, and what it claims.
pub struct Hello {
    pub name: &'static str,
    pub version: &'static str,
    pub dialects: &'static [&'static str],
    pub features: &'static [&'static str],
    pub concurrency: usize,
}

/// One conversation.
#[derive(Deserialize)]
pub struct Task {
    pub id: String,
    pub base_url: String,
    pub api_key: String,
    pub model: String,
    #[allow(dead_code)]
    pub profile: String, // the provider that is played
    #[allow(dead_code)]
    pub stream: bool,
    #[serde(default)]
    pub system: String,
    pub prompts: Vec<String>,
    pub tools: Vec<Tool>,
    pub max_turns: usize,
    #[allow(dead_code)]
    #[serde(default)]
    pub resume_after_failure: bool, // the next prompt follows also after one without an answer
}

/// A tool of a task.
#[derive(Deserialize)]
pub struct Tool {
    pub name: String,
    pub description: String,
    pub parameters: Value, // JSON Schema
    pub url: String,
}

impl Tool {
    /// Runs the tool and returns its text, or the message of its failure.
    pub fn run(&self, arguments: &Value, call_id: &str) -> Result<String, String> {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
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
}

impl Outcome {
    pub fn completed(text: String) -> Outcome {
        Outcome { status: "completed", text, error: String::new(), reason: String::new() }
    }

    pub fn failed(error: String) -> Outcome {
        Outcome { status: "failed", text: String::new(), error, reason: String::new() }
    }

    pub fn stopped(reason: String) -> Outcome {
        Outcome { status: "stopped", text: String::new(), error: String::new(), reason }
    }
}

/// What holds the conversation of one task. Its error is what the loop reported to its caller.
pub type Run = fn(&Task) -> Result<Outcome, Box<dyn std::error::Error>>;

/// Says hello, and runs every task until standard input ends.
pub fn serve(hello: Hello, run: Run) {
    say(&json!({"type": "hello", "protocol": 1, "language": "rust", "name": hello.name, "version": hello.version,
        "dialects": hello.dialects, "features": hello.features, "concurrency": hello.concurrency}));
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
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line.expect("standard input is UTF-8")).expect("a line is JSON");
        if message["type"] == "task" {
            tasks.send(serde_json::from_value(message).expect("a task")).expect("a worker");
        }
    }
    drop(tasks);
    for worker in workers {
        worker.join().ok();
    }
}

/// Reports exactly one outcome for a task, whatever happens.
fn carry_out(task: &Task, run: Run) {
    let outcome = match catch_unwind(AssertUnwindSafe(|| run(task).map_err(|error| error.to_string()))) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(error)) => Outcome::failed(error),
        Err(_) => Outcome::failed("the loop panicked".to_string()),
    };
    let mut line = serde_json::to_value(outcome).expect("an outcome is JSON");
    line["type"] = json!("outcome");
    line["id"] = json!(task.id);
    say(&line);
}

fn say(line: &Value) {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).expect("standard output is open");
}
