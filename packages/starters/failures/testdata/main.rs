//! A loop that fails in the way that its prompt names.

mod loopproof;

use loopproof::{serve, Error, Hello, Outcome, PendingCall, Task};
use serde_json::json;
use std::fmt;

#[derive(Debug)]
struct Unprintable;

impl fmt::Display for Unprintable {
    fn fmt(&self, _: &mut fmt::Formatter) -> fmt::Result {
        Err(fmt::Error)
    }
}

impl std::error::Error for Unprintable {}

#[derive(Debug)]
struct Panics;

impl fmt::Display for Panics {
    fn fmt(&self, _: &mut fmt::Formatter) -> fmt::Result {
        panic!("no text")
    }
}

impl std::error::Error for Panics {}

struct PanicsAgain;

impl Drop for PanicsAgain {
    fn drop(&mut self) {
        panic!("dropped")
    }
}

fn approval(task: &Task) -> Result<Outcome, Error> {
    let (a, c) = (json!({"path": "a"}), json!("{\"path\":\"c\"}"));
    let calls = [
        PendingCall { id: "call-1", name: "delete_file", arguments: &a },
        PendingCall { id: "", name: "delete_file", arguments: &c },
    ];
    let decisions = task.tool_approvals(&calls).ok_or("cancelled")?;
    let said: Vec<String> = decisions
        .into_iter()
        .map(|d| match d.arguments {
            Some(arguments) if d.approve => format!("runs {}", arguments["path"].as_str().unwrap_or_default()),
            _ => d.reason,
        })
        .collect();
    Ok(Outcome::completed(said.join("; ")))
}

fn steering(task: &Task) -> Result<Outcome, Error> {
    loop {
        if let Some(said) = task.steered() {
            return Ok(Outcome::completed(said));
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

fn run(task: &Task) -> Result<Outcome, Error> {
    let none: Option<String> = None;
    match task.prompts[0].as_str() {
        "approval" => return approval(task),
        "steering" => return steering(task),
        "error" => return Err("429 try again".into()),
        "error without a text" => return Err("".into()),
        "unprintable" => return Err(Box::new(Unprintable)),
        "panics when printed" => return Err(Box::new(Panics)),
        "panic" => panic!("odd"),
        "panic with a number" => panic!("odd {}", task.prompts.len()),
        "panic with a value" => std::panic::panic_any(7),
        "panic with a value that panics" => std::panic::panic_any(PanicsAgain),
        "resumed" => std::panic::resume_unwind(Box::new("again")),
        "unwrap" => return Ok(Outcome::completed(none.unwrap())),
        "index" => return Ok(Outcome::completed(task.prompts[task.prompts.len()].clone())),
        "panic in a thread" => std::thread::spawn(|| panic!("in a thread")).join().map_err(|_| "a thread panicked")?,
        _ => {}
    }
    Ok(Outcome::completed("fine".to_string()))
}

fn main() {
    serve(Hello { name: "failing", ..Hello::default() }, run);
}
