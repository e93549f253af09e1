"""Lets Loopproof judge your agent loop.

    loopproof run --quick -- python3 adapter.py    the first verdict
    loopproof run -- python3 adapter.py            everything

It runs as it stands, with the small loop of example_loop.py. Put your loop in its place: change what is marked YOURS in
`run`, or in `run_async` if your loop uses asyncio, and delete the other one.
"""

from loopproof_adapter import Task, Tool, completed, serve, stopped  # first: from here on, print() goes to standard error

from example_loop import AsyncLoop, Loop, Stopped  # YOURS: import your loop


def run(task: Task) -> dict:
    """Hold one conversation. Create a new client for each task: the base URL is different each time."""
    loop = Loop(  # YOURS: create your loop, as its documentation shows it
        base_url=task.base_url,  # what the official SDK takes as its base URL
        api_key=task.api_key,
        model=task.model,
        system=task.system,  # "" when there is none
        tools=[as_tool(tool, task.timeout_ms / 1000) for tool in task.tools],
        max_turns=task.max_turns,  # after how many answers of the model the loop stops by itself
        timeout=task.timeout_ms / 1000,  # for how many seconds it waits for the model or a tool
    )
    answer = ""
    for prompt in task.prompts:  # several only if you claim "multi-prompt": turns of the same conversation
        try:
            answer = loop.ask(prompt)  # YOURS
        except Stopped as why:  # the loop gave up by itself: turn limit, truncated answer, content filter
            return stopped(str(why))
    return completed(answer)  # what your loop raises is reported as a failure, with its message


def as_tool(tool: Tool, timeout: float) -> dict:
    """Offer a tool of the task to your loop. The work is done at the tool's URL: tool.run(arguments) returns its text, and
    raises ToolFailed, as a tool of your users would."""
    return {  # YOURS: how your loop takes a tool
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,  # JSON Schema
        "run": lambda arguments, call_id: tool.run(arguments, call_id, timeout),  # the call id only where your loop tells it
    }


async def run_async(task: Task) -> dict:
    """The same for a loop that uses asyncio. To use it: serve(run_async, ...), and you may claim "cancel"."""
    loop = AsyncLoop(
        base_url=task.base_url,
        api_key=task.api_key,
        model=task.model,
        system=task.system,
        tools=[as_async_tool(tool) for tool in task.tools],
        max_turns=task.max_turns,
        timeout=task.timeout_ms / 1000,
    )
    answer = ""
    for prompt in task.prompts:
        try:
            answer = await loop.ask(prompt)
        except Stopped as why:
            return stopped(str(why))
    return completed(answer)


def as_async_tool(tool: Tool) -> dict:
    return {"name": tool.name, "description": tool.description, "parameters": tool.parameters, "run": tool.call}


serve(
    run,
    name="my loop",  # YOURS: what the report calls it
    version="0.0.0",
    # What you claim is judged in full; what you do not claim is listed, and never passed. Begin with little, then add:
    # resume-after-failure (task.resume_after_failure: ask the next prompt also after one without an answer), streaming,
    # reasoning, retries, usage, cancel, images, transcript, events. docs/adapters.md explains each.
    features=["parallel-calls", "multi-prompt", "turn-limit"],
    # dialects=["chat"],  the wire APIs that the loop speaks: chat, messages, responses, gemini, converse; without it, chat
    concurrency=4,  # tasks at the same time; 1 if your loop has global state
)
