//! Lets Loopproof judge your agent loop.
//!
//!     cargo build --release
//!     loopproof run --quick -- target/release/my-loop-adapter    the first verdict
//!     loopproof run -- target/release/my-loop-adapter            everything
//!
//! It runs as it stands, with the small loop of example_loop.rs. Put your loop in its place: change what is marked YOURS.

mod example_loop; // YOURS: your loop
mod loopproof;

use example_loop::{Error, Loop};
use loopproof::{serve, Hello, Outcome, Task};
use std::time::Duration;

fn main() {
    let hello = Hello {
        name: "my loop", // YOURS: what the report calls it
        version: "0.0.0",
        dialects: &["chat"], // the wire APIs that the loop speaks: chat, messages, responses, gemini, converse
        // What you claim is judged in full; what you do not claim is listed, and never passed. Begin with little, then
        // add: resume-after-failure (task.resume_after_failure: ask the next prompt also after one without an answer),
        // streaming, reasoning, retries, usage, cancel, images, transcript, events. docs/adapters.md explains each.
        features: &["parallel-calls", "multi-prompt", "turn-limit"],
        concurrency: 4, // tasks at the same time; 1 if your loop has global state
    };
    serve(hello, run); // for a loop that is async: |task| runtime.block_on(run(task))
}

/// Holds one conversation. Create a new client for each task: the base URL is different each time. An error is reported
/// as a failure, with its message.
fn run(task: &Task) -> Result<Outcome, loopproof::Error> {
    let timeout = Duration::from_millis(task.timeout_ms); // for how long the loop waits for the model or a tool
    let mut agent = Loop::new(
        // YOURS: create your loop, as its documentation shows it
        &task.base_url, // what the official SDK takes as its base URL
        &task.api_key,
        &task.model,
        &task.system, // "" when there is none
        task.max_turns, // after how many answers of the model the loop stops by itself
        timeout,
    );
    for tool in &task.tools {
        // YOURS: how your loop takes a tool. The work is done at the tool's URL: run returns its text, and an error where
        // the tool fails, as a tool of your users would. The call id only where your loop tells it, else "".
        agent.offer(&tool.name, &tool.description, &tool.parameters, |arguments, call_id| {
            tool.run_within(Some(timeout), arguments, call_id)
        });
    }
    let mut answer = String::new();
    for prompt in &task.prompts {
        // several only if you claim multi-prompt: turns of the same conversation
        match agent.ask(prompt) {
            Ok(text) => answer = text,
            // The loop gave up by itself: turn limit, truncated answer, content filter.
            Err(Error::Stopped(why)) => return Ok(Outcome::stopped(why)),
            Err(Error::Failed(why)) => return Err(why.into()),
        }
    }
    Ok(Outcome::completed(answer))
}
