import json, os, subprocess, urllib.request
import openai, pytest

def call(url, method="GET", **body):
    data = json.dumps(body).encode() if method == "POST" else None
    return json.load(urllib.request.urlopen(urllib.request.Request(url, data, method=method)))

@pytest.fixture(scope="session")
def mock():
    command = [os.environ.get("LOOPPROOF", "loopproof"), "serve", "--addr", "127.0.0.1:0", "--scenario", "../scripts"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE)
    yield json.loads(server.stdout.readline())["base_url"] + "/loopproof/runs"
    server.terminate()
    server.wait()

@pytest.fixture
def model(mock, request):
    """A client that sees nothing of other tests, and fails the test when it sends what a provider refuses."""
    run = call(mock, "POST", behaviour=getattr(request, "param", {}))
    yield openai.OpenAI(base_url=run["base_url"], api_key=run["api_key"])
    found = call(f"{mock}/{run['id']}")["sum"]
    call(f"{mock}/{run['id']}", "DELETE")
    assert found["musts"] == 0, found
