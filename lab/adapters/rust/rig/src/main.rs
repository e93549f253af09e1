//! Lets Loopproof judge the agent of rig, over Chat Completions.
//!
//!     cargo build && loopproof run -- target/debug/rig

#[path = "../../../../../packages/starters/protocol/rust/loopproof.rs"]
mod loopproof;

use std::future::Future;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use futures::StreamExt;
use loopproof::{Error, Hello, Outcome, Task, Usage, serve};
use rig::agent::MultiTurnStreamItem;
use rig::completion::{FinishReason, Message};
use rig::providers::openai::{OpenAIConfig, Route};
use rig::run::{PromptError, PromptResponse};
use rig::tool::{DynamicTool, ToolExecutionError, ToolOutput};
use rig::{Agent, AgentBuilder};
use tokio::runtime::Runtime;

/// One for all tasks, as a program has one: rig's bundled HTTP client keeps its connections in it.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime of tokio"));

fn main() {
    let hello = Hello {
        name: "rig agent",
        version: "0.44.0",
        dialects: &["chat"],
        features: &["streaming", "parallel-calls", "multi-prompt", "resume-after-failure", "cancel", "turn-limit", "usage"],
        concurrency: 8,
    };
    serve(hello, |task| converse(task));
}

/// Holds the conversation as the documentation shows it: https://docs.rs/rig. A further prompt gets the messages of the runs
/// before as its history.
fn converse(task: &Task) -> Result<Outcome, Error> {
    let agent = agent(task)?;
    let mut history: Vec<Message> = vec![];
    let mut usage = Usage::default();
    let mut last: Option<PromptResponse> = None;
    let asked = task.each_prompt(|prompt| {
        let response = RUNTIME.block_on(unless_cancelled(task, ask(&agent, task, prompt, history.clone())))?;
        usage.input_tokens += response.usage().input_tokens.unwrap_or_default();
        usage.output_tokens += response.usage().output_tokens.unwrap_or_default();
        history.extend_from_slice(response.messages());
        let more = reason_to_stop(&response).is_none();
        last = Some(response);
        Ok(more)
    });
    match asked {
        Err(error) if matches!(error.downcast_ref(), Some(PromptError::MaxTurns { .. })) => Ok(Outcome::stopped("turn limit".to_string())),
        Err(error) => Err(error),
        Ok(()) => Ok(report(&last.ok_or("there was no prompt")?).used(usage)),
    }
}

fn agent(task: &Task) -> Result<Agent, Error> {
    let model = OpenAIConfig::new(task.api_key.clone())
        .with_base_url(task.base_url.clone())
        .with_route(Route::Chat) // Responses
        .client()
        .completion(task.model.clone());
    let mut builder = AgentBuilder::new(model);
    if !task.system.is_empty() {
        builder = builder.preamble(task.system.clone());
    }
    let tools = task.tools.iter().map(as_tool).collect::<Result<Vec<_>, Error>>()?;
    Ok(builder.dynamic_tools(tools).build())
}

async fn ask(agent: &Agent, task: &Task, prompt: &str, history: Vec<Message>) -> Result<PromptResponse, Error> {
    let run = agent.prompt(prompt).history(history).max_turns(task.max_turns);
    if !task.stream {
        return Ok(run.run().await?);
    }
    let mut items = run.stream();
    let mut last = None;
    while let Some(item) = items.next().await {
        if let MultiTurnStreamItem::FinalResponse(response) = item? {
            last = Some(response);
        }
    }
    last.ok_or("the stream ended without a response".into())
}

/// A run is cancelled as everything asynchronous in Rust is: its future is dropped.
async fn unless_cancelled<T>(task: &Task, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let cancelled = async {
        while !task.cancelled() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        done = work => done,
        () = cancelled => Err("cancelled".into()),
    }
}

/// Offers a tool with a schema of its own. It is not told the id of the call; its error goes to the model.
fn as_tool(tool: &loopproof::Tool) -> Result<DynamicTool, Error> {
    let name = rig::message::ToolName::new(tool.name.clone())?;
    let (description, parameters, tool) = (tool.description.clone(), tool.parameters.clone(), Arc::new(tool.clone()));
    Ok(DynamicTool::new(name, description, parameters, move |arguments| {
        let tool = tool.clone();
        Box::pin(async move {
            let run = tokio::task::spawn_blocking(move || tool.run(&arguments, ""));
            match run.await {
                Ok(Ok(text)) => Ok(ToolOutput::text(text)),
                Ok(Err(error)) => Err(ToolExecutionError::other(error)),
                Err(error) => Err(ToolExecutionError::from_error(error)),
            }
        })
    }))
}

/// Says how the conversation ended, from what the run returned.
fn report(response: &PromptResponse) -> Outcome {
    let outcome = match reason_to_stop(response) {
        Some(reason) => Outcome::stopped(reason).saying(response.output()),
        None => Outcome::completed(response.output()),
    };
    outcome.because(finish_reason(response).map(|reason| format!("{reason:?}")).unwrap_or_default())
}

/// Why the last turn is no answer.
fn reason_to_stop(response: &PromptResponse) -> Option<String> {
    match finish_reason(response) {
        Some(reason @ (FinishReason::Length | FinishReason::ContentFilter)) => Some(format!("{reason:?}")),
        _ => None,
    }
}

fn finish_reason(response: &PromptResponse) -> Option<&FinishReason> {
    response.completion_calls().last()?.finish_reason.as_ref()
}
