// Ollama's own reading of requests to Chat Completions, Messages and Responses, served over HTTP
// without a model: its middleware, in front of a handler that reads the native request as its
// server does and answers with a text. It listens on the address that the first argument names.
package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/middleware"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatalf("usage: %s HOST:PORT", os.Args[0])
	}
	gin.SetMode(gin.ReleaseMode)
	gin.DefaultWriter = io.Discard
	r := gin.New()
	r.POST("/v1/chat/completions", middleware.ChatMiddleware(), answer)
	r.POST("/v1/messages", middleware.AnthropicMessagesMiddleware(), answer)
	r.POST("/v1/responses", middleware.ResponsesMiddleware(), answer)
	log.Fatal(http.ListenAndServe(os.Args[1], r))
}

// answer does what server.ChatHandler does before it looks for the model, and answers.
func answer(c *gin.Context) {
	var req api.ChatRequest
	if err := c.ShouldBindJSON(&req); err != nil {
		c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
		return
	}
	if req.Model == "" {
		c.JSON(http.StatusBadRequest, gin.H{"error": "model is required"})
		return
	}
	said := api.ChatResponse{Model: req.Model, CreatedAt: time.Now(), Message: api.Message{Role: "assistant", Content: "fine"}}
	said.Done, said.DoneReason = true, "stop"
	c.JSON(http.StatusOK, said)
}
