package refloop

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// jsonLines reads lines of JSON: https://github.com/ndjson/ndjson-spec. The last one needs no end.
type jsonLines struct{ body *bufio.Reader }

func (l jsonLines) next() (string, []byte, error) {
	for {
		line, err := l.body.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 && (err == nil || err == io.EOF) {
			return "", line, nil
		}
		if err != nil {
			return "", nil, err
		}
	}
}

// awsReader reads the messages of AWS's event streams:
// https://smithy.io/2.0/aws/amazon-eventstream.html
type awsReader struct{ body *bufio.Reader }

var errChecksum = errors.New("a message of the stream has a wrong checksum")

func (r awsReader) next() (name string, payload []byte, err error) {
	prelude := make([]byte, 12)
	if _, err := io.ReadFull(r.body, prelude); err != nil {
		return "", nil, err // io.EOF only where a message would begin
	}
	total, headers := binary.BigEndian.Uint32(prelude), binary.BigEndian.Uint32(prelude[4:])
	if crc32.ChecksumIEEE(prelude[:8]) != binary.BigEndian.Uint32(prelude[8:]) || total < 16 || headers > total-16 {
		return "", nil, errChecksum
	}
	rest := make([]byte, total-12)
	if _, err := io.ReadFull(r.body, rest); err != nil {
		return "", nil, io.ErrUnexpectedEOF
	}
	end := len(rest) - 4
	if crc32.Update(crc32.ChecksumIEEE(prelude), crc32.IEEETable, rest[:end]) != binary.BigEndian.Uint32(rest[end:]) {
		return "", nil, errChecksum
	}
	if code := awsHeader(rest[:headers], ":error-code"); code != "" { // which is no exception, and has no payload
		return "", nil, fmt.Errorf("%w: %s: %s", neutral.ErrReported, code, awsHeader(rest[:headers], ":error-message"))
	}
	return awsHeader(rest[:headers], ":event-type", ":exception-type"), rest[headers:end], nil
}

// awsChunks reads the events of another API in messages of AWS's event streams, as Bedrock's
// InvokeModelWithResponseStream has them:
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_PayloadPart.html
type awsChunks struct{ messages awsReader }

func (c awsChunks) next() (name string, payload []byte, err error) {
	name, payload, err = c.messages.next()
	if err != nil {
		return "", nil, err
	}
	var chunk struct{ Bytes []byte }
	if name != "chunk" || json.Unmarshal(payload, &chunk) != nil {
		return "", nil, fmt.Errorf("%s: %s", name, neutral.ErrorText(payload))
	}
	return "", chunk.Bytes, nil
}

// awsHeader returns the first of some headers of a message, whose values are texts.
func awsHeader(headers []byte, names ...string) string {
	for len(headers) > 0 {
		name, rest := cutText(headers, 1)
		if len(rest) == 0 || rest[0] != 7 {
			return ""
		}
		value, rest := cutText(rest[1:], 2)
		if slices.Contains(names, name) {
			return value
		}
		headers = rest
	}
	return ""
}

// cutText returns a text behind its length, which has so many bytes, and what is after it.
func cutText(b []byte, size int) (text string, rest []byte) {
	if len(b) < size {
		return "", nil
	}
	length := 0
	for _, digit := range b[:size] {
		length = length<<8 | int(digit)
	}
	b = b[size:]
	length = min(length, len(b))
	return string(b[:length]), b[length:]
}
