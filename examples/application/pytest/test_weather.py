import openai, pytest

TOOLS = [{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}]

def test_looks_the_weather_up(model):
    messages = [{"role": "user", "content": "What is the weather in Oslo?"}]
    asked = model.chat.completions.create(model="gpt-5", messages=messages, tools=TOOLS).choices[0].message
    call = asked.tool_calls[0]
    assert call.function.arguments == '{"city": "Oslo"}'
    messages += [asked, {"role": "tool", "tool_call_id": call.id, "content": '{"city":"Oslo","degrees":4}'}]
    answer = model.chat.completions.create(model="gpt-5", messages=messages, tools=TOOLS)
    assert answer.choices[0].message.content == "It is 4 degrees in Oslo."

@pytest.mark.parametrize("model", [{"faults": [{"status": 503, "times": 2}]}], indirect=True)
def test_lives_through_an_overload(model):
    answer = model.chat.completions.create(model="gpt-5", messages=[{"role": "user", "content": "Sing."}])
    assert answer.choices[0].message.content == "I only know about the weather."

@pytest.mark.parametrize("model", [{"rate-limit": {"requests": 1}}], indirect=True)
def test_says_that_it_is_busy(model):
    ask = lambda: model.with_options(max_retries=0).chat.completions.create(model="gpt-5", messages=[{"role": "user", "content": "Sing."}])
    ask()
    with pytest.raises(openai.RateLimitError):
        ask()
