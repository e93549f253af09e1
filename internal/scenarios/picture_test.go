package scenarios_test

import (
	"bytes"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"testing"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

const camera = `
needs: [images]
tools:
  look:
    parameters: {place: string}
    results:
      - {when: {place: left}, image: png}
      - {when: {place: right}, image: jpeg}
      - {image: gif}
model: [{text: Done.}]
`

// What a tool shows is an image of its kind, and another one in each run and for each call.
func TestPicture(t *testing.T) {
	s := scenario(t, camera)
	p, err := profiles.Get("openai")
	if err != nil {
		t.Fatal(err)
	}
	script, same, other := scenarios.Compile(s, p, "a"), scenarios.Compile(s, p, "a"), scenarios.Compile(s, p, "b")
	for arguments, kind := range map[string]string{`{"place":"left"}`: "png", `{"place":"right"}`: "jpeg", `{"place":"behind"}`: "gif"} {
		result, _ := s.Tool("look").Answer(arguments)
		shown := script.Picture("look", arguments, result)
		config, found, err := image.DecodeConfig(bytes.NewReader(shown.Data))
		if err != nil || found != kind || shown.MediaType != "image/"+kind || shown.Detected() != "image/"+kind || config.Width != 64 || config.Height != 64 {
			t.Errorf("%s: %s is shown as %s of %dx%d, %v", arguments, kind, found, config.Width, config.Height, err)
		}
		if !bytes.Equal(shown.Data, same.Picture("look", arguments, result).Data) {
			t.Errorf("%s: the same secret draws another image", arguments)
		}
		for what, differs := range map[string][]byte{
			"secret": other.Picture("look", arguments, result).Data,
			"call":   script.Picture("look", `{}`, result).Data,
			"tool":   script.Picture("see", arguments, result).Data,
		} {
			if bytes.Equal(shown.Data, differs) {
				t.Errorf("%s: another %s draws the same image", arguments, what)
			}
		}
	}
}

func TestImagesWhereTheyAreSeen(t *testing.T) {
	s := scenario(t, camera)
	for name, plays := range map[string]bool{"openai": true, "llamacpp": true, "anthropic": true, "deepseek": false, "azure": false, "mistral": false} {
		p, err := profiles.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		if s.Plays(p) != plays {
			t.Errorf("played under %s: %v, want %v", name, !plays, plays)
		}
	}
}

func TestImagesThatNobodySees(t *testing.T) {
	_, err := scenarios.Parse("x.yaml", []byte("loopproof: 1\ntitle: t\nprompt: Look.\nprofiles: [deepseek*]"+camera), vocabulary)
	want := "x.yaml:4:11: none of the profiles that the scenario names takes images; these do: openai"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
