"""Lets clients in Python use a mock server by its base URL alone, and prints a line for each: what went wrong.

python clients.py BASE BELOW: BELOW is a JSON object, an API to the path below which the server has it.
"""
import asyncio, importlib.metadata, json, os, sys, warnings

warnings.filterwarnings("ignore")
base, below = sys.argv[1], json.loads(sys.argv[2]) or {}
url = {api: base + below.get(api, "") for api in ("OpenAI", "Anthropic", "Gemini", "Cohere", "Ollama", "Bedrock")}
os.environ.update(OPENAI_API_KEY="sk-test", OPENAI_BASE_URL=url["OpenAI"] + "/v1", ANTHROPIC_API_KEY="test", ANTHROPIC_BASE_URL=url["Anthropic"],
                  GEMINI_API_KEY="test", GOOGLE_API_KEY="test", GOOGLE_GEMINI_BASE_URL=url["Gemini"], AWS_ACCESS_KEY_ID="a", AWS_SECRET_ACCESS_KEY="b",
                  AWS_DEFAULT_REGION="us-east-1", OPENAI_AGENTS_DISABLE_TRACING="1", LITELLM_LOG="ERROR", LANGCHAIN_TRACING_V2="false")
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
FUNCTION = {"name": "get_weather", "description": "The weather in a city.", "parameters": CITY}
TOOL = {"type": "function", "function": FUNCTION}
clients = {}
loop = asyncio.new_event_loop()  # one for all: clients keep connections of it
asyncio.set_event_loop(loop)

def client(name, package):
    """A client is a class whose methods do one thing each, and return what has to be true."""
    def add(cls):
        clients[name] = (package, cls)
        return cls
    return add

def get_weather(city: str) -> str:
    """The weather in a city."""
    return "4 C"

def asks(text="hello"): return [{"role": "user", "content": text}]

@client("openai, chat", "openai")
class Chat:
    def __init__(self):
        import openai
        self.c = openai.OpenAI(max_retries=0).chat.completions
    def text(self): return self.c.create(model="gpt-5", messages=asks()).choices[0].message.content
    def stream(self): return "".join(x.choices[0].delta.content or "" for x in self.c.create(model="gpt-5", messages=asks(), stream=True) if x.choices)
    def tools(self):
        m = self.c.create(model="gpt-5", messages=asks(), tools=[TOOL]).choices[0].message
        json.loads(m.tool_calls[0].function.arguments)["city"]
        after = asks() + [m, {"role": "tool", "tool_call_id": m.tool_calls[0].id, "content": "4 C"}]
        return self.c.create(model="gpt-5", messages=after, tools=[TOOL]).choices[0].message.content
    def streamed_tools(self):
        args = "".join(x.choices[0].delta.tool_calls[0].function.arguments or "" for x in self.c.create(model="gpt-5", messages=asks(), tools=[TOOL], stream=True)
                       if x.choices and x.choices[0].delta.tool_calls)
        return json.loads(args)["city"]

@client("openai, responses", "openai")
class Responses:
    def __init__(self):
        import openai
        self.c = openai.OpenAI(max_retries=0).responses
        self.t = [{"type": "function", "strict": False, **FUNCTION}]
    def text(self): return self.c.create(model="gpt-5", input="hello").output_text
    def stream(self):
        with self.c.stream(model="gpt-5", input="hello") as s: return s.get_final_response().output_text
    def tools(self):
        r = self.c.create(model="gpt-5", input="hello", tools=self.t)
        call = next(x for x in r.output if x.type == "function_call")
        json.loads(call.arguments)["city"]
        return self.c.create(model="gpt-5", tools=self.t, input=asks() + [call, {"type": "function_call_output", "call_id": call.call_id, "output": "4 C"}]).output_text
    def streamed_tools(self):
        with self.c.stream(model="gpt-5", input="hello", tools=self.t) as s: return json.loads(next(x for x in s.get_final_response().output if x.type == "function_call").arguments)["city"]

@client("anthropic", "anthropic")
class Anthropic:
    def __init__(self):
        import anthropic
        self.c = anthropic.Anthropic(max_retries=0).messages
        self.of = dict(model="claude-sonnet-4-5", max_tokens=99)
        self.t = [{"name": "get_weather", "input_schema": CITY}]
    def text(self): return self.c.create(messages=asks(), **self.of).content[0].text
    def stream(self):
        with self.c.stream(messages=asks(), **self.of) as s: return "".join(s.text_stream)
    def tools(self):
        m = self.c.create(messages=asks(), tools=self.t, **self.of)
        call = next(b for b in m.content if b.type == "tool_use")
        call.input["city"]
        after = asks() + [{"role": "assistant", "content": m.content}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call.id, "content": "4 C"}]}]
        return self.c.create(messages=after, tools=self.t, **self.of).content[0].text
    def streamed_tools(self):
        with self.c.stream(messages=asks(), tools=self.t, **self.of) as s: return next(b for b in s.get_final_message().content if b.type == "tool_use").input["city"]

@client("google-genai", "google-genai")
class Gemini:
    def __init__(self):
        from google import genai
        self.client = genai.Client()
        self.c, self.of = self.client.models, dict(model="gemini-3-pro", contents="hello")
    def text(self): return self.c.generate_content(**self.of).text
    def stream(self): return "".join(x.text or "" for x in self.c.generate_content_stream(**self.of))
    def tools(self): return self.c.generate_content(config={"tools": [get_weather]}, **self.of).text
    def streamed_tools(self):
        t = {"tools": [{"function_declarations": [FUNCTION]}], "automatic_function_calling": {"disable": True}}
        return [f.args["city"] for x in self.c.generate_content_stream(config=t, **self.of) for f in x.function_calls or []][0]

class LangChain:
    def text(self): return self.m.invoke("hello").text
    def stream(self): return "".join(x.text for x in self.m.stream("hello"))
    def tools(self):
        from langchain_core.messages import HumanMessage, ToolMessage
        bound = self.m.bind_tools([get_weather])
        a = bound.invoke("hello")
        a.tool_calls[0]["args"]["city"]
        return bound.invoke([HumanMessage("hello"), a, ToolMessage("4 C", tool_call_id=a.tool_calls[0]["id"], name="get_weather")]).text
    def streamed_tools(self):
        all = None
        for x in self.m.bind_tools([get_weather]).stream("hello"): all = x if all is None else all + x
        return all.tool_calls[0]["args"]["city"]

@client("LangChain, OpenAI", "langchain-openai")
class LangChainOpenAI(LangChain):
    def __init__(self):
        from langchain_openai import ChatOpenAI
        self.m = ChatOpenAI(model="gpt-5", max_retries=0)

@client("LangChain, Anthropic", "langchain-anthropic")
class LangChainAnthropic(LangChain):
    def __init__(self):
        from langchain_anthropic import ChatAnthropic
        self.m = ChatAnthropic(model="claude-sonnet-4-5", max_retries=0)

@client("LangChain, Google", "langchain-google-genai")
class LangChainGoogle(LangChain):
    def __init__(self):
        from langchain_google_genai import ChatGoogleGenerativeAI
        self.m = ChatGoogleGenerativeAI(model="gemini-3-pro", max_retries=1, base_url=url["Gemini"])

class LiteLLM:
    def ask(self, **more):
        import litellm
        return litellm.completion(messages=more.pop("messages", asks()), num_retries=0, max_retries=0, **self.of, **more)
    def text(self): return self.ask().choices[0].message.content
    def stream(self): return "".join(x.choices[0].delta.content or "" for x in self.ask(stream=True))
    def tools(self):
        m = self.ask(tools=[TOOL]).choices[0].message
        json.loads(m.tool_calls[0].function.arguments)["city"]
        return self.ask(tools=[TOOL], messages=asks() + [m.model_dump(), {"role": "tool", "tool_call_id": m.tool_calls[0].id, "content": "4 C"}]).choices[0].message.content
    def streamed_tools(self):
        return json.loads("".join(t.function.arguments or "" for x in self.ask(tools=[TOOL], stream=True) for t in x.choices[0].delta.tool_calls or []))["city"]

def litellm(name, **of):
    client("LiteLLM, " + name, "litellm")(type(name, (LiteLLM,), {"of": of}))

litellm("OpenAI", model="openai/gpt-5")
litellm("Anthropic", model="anthropic/claude-sonnet-4-5")
litellm("Gemini", model="gemini/gemini-3-pro", api_base=url["Gemini"] + "/v1beta")

class PydanticAI:
    def agent(self, *tools):
        from pydantic_ai import Agent
        return Agent(self.model, tools=tools)
    def text(self): return self.agent().run_sync("hello").output
    def tools(self): return self.agent(get_weather).run_sync("hello").output
    def streamed(self, *tools):
        async def go():
            async with self.agent(*tools).run_stream("hello") as r: return await r.get_output()
        return loop.run_until_complete(go())
    def stream(self): return self.streamed()
    def streamed_tools(self): return self.streamed(get_weather)

def pydantic_ai(name, model):
    client("Pydantic AI, " + name, "pydantic-ai-slim")(type(name, (PydanticAI,), {"model": model}))

pydantic_ai("chat", "openai-chat:gpt-5")
pydantic_ai("Responses", "openai-responses:gpt-5")
pydantic_ai("Anthropic", "anthropic:claude-sonnet-4-5")
pydantic_ai("Google", "google:gemini-3-pro")

@client("OpenAI Agents SDK", "openai-agents")
class Agents:
    def agent(self, *tools):
        from agents import Agent, function_tool, set_tracing_disabled
        set_tracing_disabled(True)
        return Agent(name="a", model="gpt-5", tools=[function_tool(t) for t in tools])
    def run(self, *tools):
        from agents import Runner
        return loop.run_until_complete(Runner.run(self.agent(*tools), "hello")).final_output
    def text(self): return self.run()
    def tools(self): return self.run(get_weather)
    def streamed(self, *tools):
        from agents import Runner
        async def go():
            r = Runner.run_streamed(self.agent(*tools), "hello")
            async for _ in r.stream_events(): pass
            return r.final_output
        return loop.run_until_complete(go())
    def stream(self): return self.streamed()
    def streamed_tools(self): return self.streamed(get_weather)

@client("ollama", "ollama")
class Ollama:
    def __init__(self):
        import ollama
        self.c, self.of = ollama.Client(host=url["Ollama"]), dict(model="llama3.2", messages=asks())
    def text(self): return self.c.chat(**self.of).message.content
    def stream(self): return "".join(x.message.content or "" for x in self.c.chat(stream=True, **self.of))
    def tools(self):
        m = self.c.chat(tools=[TOOL], **self.of).message
        m.tool_calls[0].function.arguments["city"]
        return self.c.chat(model="llama3.2", tools=[TOOL], messages=asks() + [m, {"role": "tool", "tool_name": "get_weather", "content": "4 C"}]).message.content

@client("cohere", "cohere")
class Cohere:
    def __init__(self):
        import cohere
        self.c = cohere.ClientV2("test", base_url=url["Cohere"])
    def text(self): return self.c.chat(model="command-a", messages=asks()).message.content[0].text
    def stream(self): return "".join(x.delta.message.content.text for x in self.c.chat_stream(model="command-a", messages=asks()) if x.type == "content-delta")
    def tools(self): return json.loads(self.c.chat(model="command-a", messages=asks(), tools=[TOOL]).message.tool_calls[0].function.arguments)["city"]

@client("boto3, Converse", "boto3")
class Converse:
    def __init__(self):
        import boto3
        self.c = boto3.client("bedrock-runtime", endpoint_url=url["Bedrock"])
        self.of = dict(modelId="anthropic.claude-3", messages=[{"role": "user", "content": [{"text": "hello"}]}])
    def text(self): return self.c.converse(**self.of)["output"]["message"]["content"][0]["text"]
    def stream(self): return "".join(e["contentBlockDelta"]["delta"].get("text", "") for e in self.c.converse_stream(**self.of)["stream"] if "contentBlockDelta" in e)
    def tools(self):
        t = {"tools": [{"toolSpec": {"name": "get_weather", "inputSchema": {"json": CITY}}}]}
        return [b["toolUse"]["input"]["city"] for b in self.c.converse(toolConfig=t, **self.of)["output"]["message"]["content"] if "toolUse" in b][0]

for name, (package, cls) in clients.items():
    wrong = {}
    for what in ("text", "stream", "tools", "streamed_tools"):
        if not hasattr(cls, what): continue
        try:
            wrong[what.replace("_", " ")] = "" if getattr(cls(), what)() else "nothing came"
        except BaseException as e:
            wrong[what.replace("_", " ")] = f"{type(e).__name__}: {e}"[:200]
    print(json.dumps({"client": name, "version": importlib.metadata.version(package), "wrong": wrong}), flush=True)
os._exit(0)
