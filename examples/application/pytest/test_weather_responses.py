import openai, pytest

TOOLS = [{"type": "function", "name": "get_weather", "strict": False, "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}]

pytestmark = pytest.mark.loopproof(profile="openai-responses")

@pytest.fixture
def model(loopproof):
    return openai.OpenAI(base_url=loopproof.base_url, api_key=loopproof.api_key)

def test_looks_the_weather_up(model):
    asked = model.responses.create(model="gpt-5", input="What is the weather in Oslo?", tools=TOOLS)
    call = next(item for item in asked.output if item.type == "function_call")
    assert call.arguments == '{"city":"Oslo"}'
    result = {"type": "function_call_output", "call_id": call.call_id, "output": '{"city":"Oslo","degrees":4}'}
    answer = model.responses.create(model="gpt-5", previous_response_id=asked.id, input=[result], tools=TOOLS)
    assert answer.output_text == "It is 4 degrees in Oslo."

def test_keeps_the_history_itself(model):
    history = [{"role": "user", "content": "What is the weather in Lima?"}]
    alone = {"model": "gpt-5", "tools": TOOLS, "store": False, "include": ["reasoning.encrypted_content"]}
    history += model.responses.create(input=history, **alone).output
    history.append({"type": "function_call_output", "call_id": history[-1].call_id, "output": '{"city":"Lima","degrees":19}'})
    assert model.responses.create(input=history, **alone).output_text == "It is 19 degrees in Lima."

@pytest.mark.loopproof(behaviour={"faults": [{"status": 503, "times": 2}]})
def test_lives_through_an_overload(model):
    assert model.responses.create(model="gpt-5", input="Sing.").output_text == "I only know about the weather."

@pytest.mark.loopproof(behaviour={"rate-limit": {"requests": 1}})
def test_says_that_it_is_busy(model):
    ask = lambda: model.with_options(max_retries=0).responses.create(model="gpt-5", input="Sing.")
    ask()
    with pytest.raises(openai.RateLimitError):
        ask()
