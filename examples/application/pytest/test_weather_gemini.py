import pytest
from google import genai
from google.genai import errors, types

def get_weather(city: str) -> dict:
    """Returns the weather in a city."""
    return {"city": city, "degrees": 4}

pytestmark = pytest.mark.loopproof(profile="gemini-3")

@pytest.fixture
def model(loopproof):
    retry = types.HttpRetryOptions(attempts=5, initial_delay=0.01)
    options = types.HttpOptions(base_url=loopproof.base_url, retry_options=retry)
    return genai.Client(api_key=loopproof.api_key, http_options=options)

def sing(model, **config):
    return model.models.generate_content(model="gemini-3-pro-preview", contents="Sing.", config=config).text

def test_looks_the_weather_up(model):
    chat = model.chats.create(model="gemini-3-pro-preview", config=types.GenerateContentConfig(tools=[get_weather]))
    assert chat.send_message("What is the weather in Oslo?").text == "It is 4 degrees in Oslo."

@pytest.mark.loopproof(behaviour={"faults": [{"status": 503, "times": 2}]})
def test_lives_through_an_overload(model):
    assert sing(model) == "I only know about the weather."

@pytest.mark.loopproof(behaviour={"rate-limit": {"requests": 1}})
def test_says_that_it_is_busy(model):
    once = types.HttpOptions(retry_options=types.HttpRetryOptions(attempts=1))
    sing(model)
    with pytest.raises(errors.ClientError, match="RESOURCE_EXHAUSTED"):
        sing(model, http_options=once)
