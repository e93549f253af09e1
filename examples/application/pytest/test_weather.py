import openai, pytest

TOOLS = [{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}]
SING = [{"role": "user", "content": "Sing."}]

@pytest.fixture
def model(loopproof):
    """A client that sees nothing of other tests, and fails the test when it sends what a provider refuses."""
    return openai.OpenAI(base_url=loopproof.base_url, api_key=loopproof.api_key)

def test_looks_the_weather_up(model, loopproof):
    messages = [{"role": "user", "content": "What is the weather in Oslo?"}]
    asked = model.chat.completions.create(model="gpt-5", messages=messages, tools=TOOLS).choices[0].message
    call = asked.tool_calls[0]
    assert call.function.arguments == '{"city":"Oslo"}'
    messages += [asked, {"role": "tool", "tool_call_id": call.id, "content": '{"city":"Oslo","degrees":4}'}]
    answer = model.chat.completions.create(model="gpt-5", messages=messages, tools=TOOLS)
    assert answer.choices[0].message.content == "It is 4 degrees in Oslo."
    loopproof.assert_request(tool="get_weather", result="Oslo", count=1)

@pytest.mark.loopproof(behaviour={"faults": [{"status": 503, "times": 2}]})
def test_lives_through_an_overload(model):
    answer = model.chat.completions.create(model="gpt-5", messages=SING)
    assert answer.choices[0].message.content == "I only know about the weather."

@pytest.mark.loopproof(behaviour={"rate-limit": {"requests": 1}})
def test_says_that_it_is_busy(model):
    ask = lambda: model.with_options(max_retries=0).chat.completions.create(model="gpt-5", messages=SING)
    ask()
    with pytest.raises(openai.RateLimitError):
        ask()

@pytest.mark.loopproof(scripts=[{"model": [{"text": "La la la."}]}])
def test_sings_by_its_own_script(loopproof_environment):
    answer = openai.OpenAI().chat.completions.create(model="gpt-5", messages=SING)  # an application that reads the environment
    assert answer.choices[0].message.content == "La la la."
