package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/loopproof/loopproof/protocol"
)

// toyLoop is an adapter around a loop that speaks the toy. With the argument forgetful it loses the last of several results.
func toyLoop() {
	forgetful := len(os.Args) > 1 && os.Args[1] == "forgetful"
	out := json.NewEncoder(os.Stdout)
	out.Encode(protocol.Hello{
		Type: protocol.TypeHello, Protocol: protocol.Version, Name: "toy loop", Version: "1.0.0", Language: "go",
		Dialects: []string{"toy"}, Features: []protocol.Feature{protocol.Streaming, protocol.ParallelCalls, protocol.MultiPrompt},
	})
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var task protocol.Task
		if err := json.Unmarshal(lines.Bytes(), &task); err != nil || task.Type != protocol.TypeTask {
			continue
		}
		outcome := protocol.Outcome{Status: protocol.Completed}
		text, err := toyTask(task, forgetful)
		if outcome.Text = text; err != nil {
			outcome = protocol.Outcome{Status: protocol.Failed, Error: err.Error()}
		}
		outcome.Type, outcome.ID = protocol.TypeOutcome, task.ID
		out.Encode(outcome)
	}
}

type (
	toyAsk struct {
		Ref  string          `json:"ref"`
		Tool string          `json:"tool"`
		With json.RawMessage `json:"with"`
	}
	toyTurn struct {
		By   string   `json:"by"`
		Says string   `json:"says,omitempty"`
		Ref  string   `json:"ref,omitempty"`
		Asks []toyAsk `json:"asks,omitempty"`
		Why  string   `json:"why,omitempty"`
	}
	toyTool struct {
		Tool  string          `json:"tool"`
		About string          `json:"about"`
		Takes json.RawMessage `json:"takes"`
	}
)

func toyTask(task protocol.Task, forgetful bool) (text string, err error) {
	var talk []toyTurn
	for _, prompt := range task.Prompts {
		talk = append(talk, toyTurn{By: "user", Says: prompt})
		for range task.MaxTurns {
			turn, err := toyAnswer(task, talk)
			if err != nil {
				return "", err
			}
			why := turn.Why
			turn.Why = ""
			talk = append(talk, turn)
			switch text = turn.Says; {
			case why != "stop" && why != "calls":
				return "", fmt.Errorf("the model was stopped: %s", why)
			case len(turn.Asks) == 0 && strings.TrimSpace(text) == "":
				return "", errors.New("the model said nothing")
			}
			if len(turn.Asks) == 0 {
				break
			}
			for i, ask := range turn.Asks {
				result := toyRun(task, ask)
				if !forgetful || i == 0 || i < len(turn.Asks)-1 {
					talk = append(talk, toyTurn{By: "tool", Ref: ask.Ref, Says: result})
				}
			}
		}
	}
	return text, nil
}

func toyAnswer(task protocol.Task, talk []toyTurn) (turn toyTurn, err error) {
	var tools []toyTool
	for _, t := range task.Tools {
		tools = append(tools, toyTool{t.Name, t.Description, t.Parameters})
	}
	request := map[string]any{"model": task.Model, "live": task.Stream, "talk": talk, "tools": tools}
	if task.System != "" {
		request["hint"] = task.System
	}
	body, err := toyPost(task.BaseURL+"/talk", "", request)
	if err != nil {
		return turn, err
	}
	parts := []string{string(body)}
	if task.Stream {
		parts = nil
		for line := range strings.Lines(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(body))) {
			if data, ok := strings.CutPrefix(line, "data:"); ok {
				parts = append(parts, data)
			}
		}
	}
	turn.By = "model"
	for _, part := range parts {
		var piece toyTurn
		if err := json.Unmarshal([]byte(part), &piece); err != nil {
			return turn, err
		}
		turn.Says += piece.Says
		turn.Asks = append(turn.Asks, piece.Asks...)
		turn.Why += piece.Why
	}
	if turn.Why == "" {
		return turn, io.ErrUnexpectedEOF
	}
	return turn, nil
}

func toyRun(task protocol.Task, ask toyAsk) string {
	if len(ask.With) == 0 || ask.With[0] != '{' {
		return "The arguments are no object."
	}
	for _, t := range task.Tools {
		if t.Name == ask.Tool {
			result, err := toyPost(t.URL, ask.Ref, ask.With)
			if err != nil {
				return "The tool failed: " + err.Error()
			}
			return string(result)
		}
	}
	return "There is no tool " + ask.Tool
}

func toyPost(url, id string, v any) ([]byte, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set(protocol.CallIDHeader, id)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", resp.Status, answer)
	}
	return answer, err
}
