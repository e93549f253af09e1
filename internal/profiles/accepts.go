package profiles

// Accepts lists the keys that a provider takes in the messages of a request. Without a list those
// of OpenAI's reference are taken.
type Accepts struct {
	Assistant []string `yaml:"assistant"`
	Tool      []string `yaml:"tool"`
	Call      []string `yaml:"call"`

	// Roles are the roles that the provider knows.
	Roles []string `yaml:"roles"`

	// Request are the keys of a request, Parts the types of parts in a content, and ToolChoices the
	// words of tool_choice, where "an object" stands for a named tool.
	Request     []string `yaml:"request"`
	RequestAlso []string `yaml:"request-also"` // keys of a request besides those of the reference
	Parts       []string `yaml:"parts"`
	ToolChoices []string `yaml:"tool-choices"`

	// Formats are the types of the format that an answer may have.
	Formats []string `yaml:"formats"`

	// UntypedTools says that a tool of a request may lack its type, which is function.
	UntypedTools bool `yaml:"untyped-tools"`

	// ImageTexts says that image_url may be the URL itself, and not only an object with a url.
	ImageTexts bool `yaml:"image-texts"`

	// ImageSchemes are the schemes, besides http and https, of URLs of images that the provider
	// keeps, such as ms.
	ImageSchemes []string `yaml:"image-schemes"`

	// Names are those that the provider itself gives to the messages of its model, where they are
	// not of the usual form.
	Names []string `yaml:"names"`

	// Thinking are the types of thinking that a request may ask for, where the provider does not
	// take all of them.
	Thinking []string `yaml:"thinking"`

	// SystemMessages says that in the dialect messages, where the system prompt is separate,
	// messages of the role system may be in the middle of a conversation.
	SystemMessages bool `yaml:"system-messages"`

	// CallID is the form of the ids that the provider takes, as a regular expression. None means
	// any.
	CallID Form `yaml:"call-id"`

	// CallIDEnd is by how many characters at its end the provider tells an id from others; 0: by
	// all of it.
	CallIDEnd int `yaml:"call-id-end"`

	// Prefill are the keys of a request or of its last message by which an answer may be begun for
	// the model. Without a list those are prefix and partial.
	Prefill []string `yaml:"prefill"`
}
