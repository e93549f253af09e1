//! A small agent loop over Chat Completions, so that the adapter runs as it stands. Delete it when yours is in its place.

use serde_json::{json, Value};
use std::time::Duration;

pub enum Error {
    Stopped(String), // the loop gave up by itself
    Failed(String),
}

type RunTool<'a> = Box<dyn Fn(&Value, &str) -> Result<String, String> + 'a>;

pub struct Loop<'a> {
    url: String,
    api_key: String,
    request: Value,
    tools: Vec<(String, RunTool<'a>)>,
    turns_left: usize,
    timeout: Duration,
}

impl<'a> Loop<'a> {
    pub fn new(base_url: &str, api_key: &str, model: &str, system: &str, max_turns: usize, timeout: Duration) -> Loop<'a> {
        let mut messages = vec![];
        if !system.is_empty() {
            messages.push(json!({"role": "system", "content": system}));
        }
        Loop {
            url: format!("{base_url}/chat/completions"),
            api_key: api_key.to_string(),
            request: json!({"model": model, "messages": messages}),
            tools: vec![],
            turns_left: max_turns,
            timeout,
        }
    }

    pub fn offer(&mut self, name: &str, description: &str, parameters: &Value, run: impl Fn(&Value, &str) -> Result<String, String> + 'a) {
        let tool = json!({"type": "function", "function": {"name": name, "description": description, "parameters": parameters}});
        match self.request["tools"].as_array_mut() {
            Some(tools) => tools.push(tool),
            None => self.request["tools"] = json!([tool]),
        }
        self.tools.push((name.to_string(), Box::new(run)));
    }

    pub fn ask(&mut self, prompt: &str) -> Result<String, Error> {
        self.add(json!({"role": "user", "content": prompt}));
        loop {
            let answer = self.turn()?;
            let text = answer["content"].as_str().unwrap_or_default().to_string();
            let calls: Vec<Value> = answer["tool_calls"].as_array().cloned().unwrap_or_default();
            let content = if text.is_empty() { Value::Null } else { json!(text) };
            if calls.is_empty() {
                self.add(json!({"role": "assistant", "content": content}));
                return Ok(text);
            }
            let echoes: Vec<Value> = calls
                .iter()
                .map(|call| json!({"id": call["id"], "type": "function",
                    "function": {"name": call["function"]["name"], "arguments": echoed(&call["function"]["arguments"])}}))
                .collect();
            self.add(json!({"role": "assistant", "content": content, "tool_calls": echoes}));
            for call in &calls {
                let result = self.run(call).unwrap_or_else(|error| format!("Error: {error}"));
                self.add(json!({"role": "tool", "tool_call_id": call["id"], "content": result}));
            }
        }
    }

    fn add(&mut self, message: Value) {
        self.request["messages"].as_array_mut().expect("a list").push(message);
    }

    /// Asks the model for its next answer.
    fn turn(&mut self) -> Result<Value, Error> {
        if self.turns_left == 0 {
            return Err(Error::Stopped("turn limit".to_string()));
        }
        self.turns_left -= 1;
        let body = self.post().map_err(Error::Failed)?;
        let answer: Value = serde_json::from_str(&body).unwrap_or_default();
        let choice = &answer["choices"][0];
        let message = &choice["message"];
        if !message.is_object() || choice["error"].is_object() {
            return Err(Error::Failed(format!("no answer: {body}")));
        }
        let finish = choice["finish_reason"].as_str().unwrap_or_default();
        if finish == "length" || finish == "content_filter" {
            return Err(Error::Stopped(finish.to_string())); // cut off, and the calls may be, too: they are not run
        }
        if let Some(refusal) = message["refusal"].as_str() {
            return Err(Error::Failed(format!("the model refused: {refusal}")));
        }
        let silent = message["content"].as_str().unwrap_or_default().is_empty();
        if silent && message["tool_calls"].as_array().is_none_or(|calls| calls.is_empty()) {
            return Err(Error::Failed("the model said nothing".to_string()));
        }
        Ok(message.clone())
    }

    fn post(&self) -> Result<String, String> {
        let agent: ureq::Agent =
            ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(self.timeout)).build().into();
        let mut answer = agent
            .post(&self.url)
            .header("Content-Type", "application/json")
            .header("Authorization", &format!("Bearer {}", self.api_key))
            .send(self.request.to_string())
            .map_err(|error| error.to_string())?;
        let body = answer.body_mut().read_to_string().map_err(|error| error.to_string())?;
        let status = answer.status();
        if status == 200 { Ok(body) } else { Err(format!("the provider answered {status}: {body}")) }
    }

    /// Returns the result of a call, or an error that the model can read.
    fn run(&self, call: &Value) -> Result<String, String> {
        let name = call["function"]["name"].as_str().unwrap_or_default();
        let text = call["function"]["arguments"].as_str().unwrap_or_default();
        let text = if text.is_empty() || text == "null" { "{}" } else { text };
        let arguments: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if !arguments.is_object() {
            return Err("the arguments have to be an object".to_string());
        }
        let (_, run) = self.tools.iter().find(|(known, _)| known == name).ok_or(format!("there is no tool {name}"))?;
        run(&arguments, call["id"].as_str().unwrap_or_default())
    }
}

/// Some providers parse the arguments that go back, and refuse anything but JSON.
fn echoed(arguments: &Value) -> &str {
    let text = arguments.as_str().unwrap_or_default();
    if serde_json::from_str::<Value>(text).is_ok() { text } else { "{}" }
}
