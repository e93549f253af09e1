"""Lets Loopproof judge the agent of ADK, Google's Agent Development Kit, with Gemini over generateContent or Interactions.

    loopproof run -- .venv/bin/python adapter.py
    loopproof run -- .venv/bin/python adapter.py interactions
"""

import os
import sys
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, Task, Tool, ToolFailed, completed, failed, serve, stopped, usage

os.environ["GOOGLE_API_KEY"] = "loopproof"  # the library takes the key from here; the URL says which task is played

from google.adk.agents import LlmAgent
from google.adk.agents.invocation_context import LlmCallsLimitExceededError
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.models.google_llm import Gemini
from google.adk.runners import InMemoryRunner
from google.adk.tools import BaseTool, ToolContext
from google.genai import types

USER = "user"
DIALECT = sys.argv[1] if len(sys.argv) > 1 else "gemini"


async def run(task: Task) -> dict:
    agent = LlmAgent(
        name="loopproof_agent",
        # Without retry_options the client does not try again.
        model=Gemini(
            model="gemini-3-pro-preview",
            base_url=task.base_url,
            retry_options=types.HttpRetryOptions(initial_delay=0.2),
            use_interactions_api=DIALECT == "interactions",
        ),
        # A string would be a template: https://google.github.io/adk-docs/agents/llm-agents/#guiding-the-agent-instructions-instruction
        instruction=lambda _context: task.system,
        tools=[HostedTool(tool) for tool in task.tools],
        generate_content_config=types.GenerateContentConfig(thinking_config=types.ThinkingConfig(include_thoughts=True)),
        on_tool_error_callback=tell,  # else a tool that fails ends the run
    )
    runner = InMemoryRunner(agent, app_name="loopproof")
    session = await runner.session_service.create_session(app_name="loopproof", user_id=USER)
    config = RunConfig(streaming_mode=StreamingMode.SSE if task.stream else StreamingMode.NONE, max_llm_calls=task.max_turns)
    conversation = Conversation(runner, session.id, config)
    for prompt in task.prompts:
        try:
            said = await task.of_prompt(conversation.ask(prompt))
        except LlmCallsLimitExceededError as limit:
            return stopped(str(limit))
        if said is NO_ANSWER:
            continue  # the user goes on without an answer; what the session keeps of it is the library's affair
        if conversation.outcome["status"] != "completed" and not task.resume_after_failure:
            break  # there is no answer that the user could go on from
    return conversation.outcome


class Conversation:
    """A session of the runner, and how its last prompt ended."""

    def __init__(self, runner: InMemoryRunner, session: str, config: RunConfig):
        self.runner, self.session, self.config = runner, session, config
        self.input = self.output = 0
        self.outcome: dict = {}

    async def ask(self, prompt: str) -> None:
        content = types.Content(role="user", parts=[types.Part(text=prompt)])
        last = None
        async for event in self.runner.run_async(
            user_id=USER, session_id=self.session, new_message=content, run_config=self.config
        ):
            if event.partial:
                continue  # the whole event follows
            if used := event.usage_metadata:
                self.input += used.prompt_token_count or 0
                self.output += (used.candidates_token_count or 0) + (used.thoughts_token_count or 0)
            last = event
        self.outcome = self.report(last)

    def report(self, event) -> dict:
        """How a prompt ended, by the last event of its run."""
        if event is None:
            raise RuntimeError("the run had no events")
        reason = event.finish_reason.value if event.finish_reason else None
        parts = event.content.parts or [] if event.content else []
        text = "".join(part.text for part in parts if part.text and not part.thought)
        more = {"finish_reason": reason, "usage": usage(self.input, self.output)}
        if event.error_code:
            return stopped(f"{event.error_code}: {event.error_message}", text=text, **more)
        if reason not in (None, "STOP"):
            return stopped(reason, text=text, **more)
        if not event.is_final_response():  # https://google.github.io/adk-docs/events/#identifying-final-response-events
            return failed("the run ended without a final response", **more)
        return completed(text, **more)


class HostedTool(BaseTool):
    """A tool of the task, with a declaration of its own."""

    def __init__(self, tool: Tool):
        super().__init__(name=tool.name, description=tool.description)
        self.tool = tool

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(
            name=self.tool.name, description=self.tool.description, parameters_json_schema=self.tool.parameters
        )

    async def run_async(self, *, args: dict, tool_context: ToolContext):
        return await self.tool.call(args, tool_context.function_call_id or "")


async def tell(tool: BaseTool, args: dict, tool_context: ToolContext, error: Exception) -> dict | None:
    """What the model is told of a tool that failed; other errors end the run."""
    return {"error": str(error) or "the tool failed"} if isinstance(error, ToolFailed) else None


serve(
    run,
    name="ADK",
    dialects=[DIALECT],
    version=version("google-adk"),
    features=["streaming", "parallel-calls", "reasoning", "multi-prompt", "resume-after-failure", "retries", "turn-limit", "usage", "cancel"],
    designs=["own-model"],
)
