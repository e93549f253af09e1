import json, sys, threading, traceback, urllib.error, urllib.request
from concurrent.futures import ThreadPoolExecutor

# The adapter: the same for every loop in Python.

protocol, sys.stdout = sys.stdout, sys.stderr  # everything that is printed is a log
writing = threading.Lock()

def say(line):
    with writing:
        print(json.dumps(line), file=protocol, flush=True)

def main():
    say({"type": "hello", "protocol": 1, "name": "my loop", "version": "1.0.0", "language": "python",
         "dialects": ["chat"], "features": ["parallel-calls", "multi-prompt", "turn-limit"], "concurrency": 4})
    with ThreadPoolExecutor(4) as workers:
        for line in sys.stdin:
            task = json.loads(line)
            if task["type"] == "task":
                workers.submit(carry_out, task)

def carry_out(task):
    try:
        outcome = run(task)
        if not isinstance(outcome, dict) or outcome.get("status") not in ("completed", "stopped", "failed"):
            raise TypeError(f"the loop returned {outcome!r}, which is no outcome")
        json.dumps(outcome, allow_nan=False)
    except BaseException as error:  # what your loop raises to its caller, SystemExit as well
        traceback.print_exc()
        outcome = {"status": "failed", "error": described(error)}
    say({"type": "outcome", "id": task["id"], **outcome})

def described(error):
    try:
        return f"{type(error).__name__}: {error}"
    except BaseException:  # an error that cannot be printed
        return type(error).__name__

def post(url, body, headers):
    request = urllib.request.Request(url, body.encode(), {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request) as response:
            return response.read().decode()
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"{error.code} {error.reason}: {error.read().decode()}")

def run_tool(tool, arguments, call_id):
    """A tool as your loop calls it: the work is done at its URL, and it raises when that fails."""
    return post(tool["url"], arguments, {"X-Tool-Call-Id": call_id})

# The loop: replace it with yours.

def run(task):
    tools = {tool["name"]: tool for tool in task["tools"]}
    request = {"model": task["model"], "messages": []}
    if task.get("system"):
        request["messages"].append({"role": "system", "content": task["system"]})
    if tools:
        request["tools"] = [{"type": "function", "function": {key: tool[key] for key in ("name", "description", "parameters")}}
                            for tool in tools.values()]
    turns = 0
    for prompt in task["prompts"]:
        request["messages"].append({"role": "user", "content": prompt})
        while True:
            if turns == task["max_turns"]:
                return {"status": "stopped", "reason": "turn limit"}
            turns += 1
            answer = json.loads(post(task["base_url"] + "/chat/completions", json.dumps(request),
                                     {"Authorization": "Bearer " + task["api_key"]}))
            if not answer.get("choices") or answer["choices"][0].get("error"):
                raise RuntimeError("no answer: " + json.dumps(answer))
            message, finish = answer["choices"][0]["message"], answer["choices"][0]["finish_reason"]
            text, calls = message.get("content") or message.get("refusal") or "", message.get("tool_calls") or []
            if finish in ("length", "content_filter"):
                return {"status": "stopped", "reason": finish, "text": text}
            if not calls and not text:
                raise RuntimeError("the model said nothing")
            request["messages"].append(echo(text, calls))
            if not calls:
                break
            for call in calls:
                request["messages"].append({"role": "tool", "tool_call_id": call["id"], "content": result(tools, call)})
    return {"status": "completed", "text": text}

def echo(text, calls):
    if not calls:
        return {"role": "assistant", "content": text}
    return {"role": "assistant", "content": text or None, "tool_calls": [
        {"id": call["id"], "type": "function", "function": {"name": call["function"]["name"], "arguments": readable(call)}}
        for call in calls]}

def readable(call):
    """The arguments as they came, or {} for those that are no object: some servers refuse them with every later request."""
    arguments = call["function"]["arguments"]
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except ValueError:
        return "{}"

def result(tools, call):
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    if arguments in ("", "null"):
        arguments = "{}"
    try:
        if not isinstance(json.loads(arguments), dict):
            raise ValueError("the arguments have to be an object")
        return run_tool(tools[name], arguments, call["id"])
    except KeyError:
        return f"Error: there is no tool {name}"
    except (ValueError, RuntimeError) as error:
        return f"Error: {error}"

main()
