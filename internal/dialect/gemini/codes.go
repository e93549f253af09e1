package gemini

import "net/http"

// errorCodes are the codes of Google's errors by their statuses: google/rpc/code.proto.
var errorCodes = map[int]string{
	http.StatusUnauthorized:       "UNAUTHENTICATED",
	http.StatusForbidden:          "PERMISSION_DENIED",
	http.StatusNotFound:           "NOT_FOUND",
	http.StatusConflict:           "ABORTED",
	http.StatusTooManyRequests:    "RESOURCE_EXHAUSTED",
	http.StatusNotImplemented:     "UNIMPLEMENTED",
	http.StatusServiceUnavailable: "UNAVAILABLE",
	http.StatusGatewayTimeout:     "DEADLINE_EXCEEDED",
}

// errorCode returns the code of an error of a status.
func errorCode(status int) string {
	switch code, ok := errorCodes[status]; {
	case ok:
		return code
	case status < http.StatusInternalServerError:
		return "INVALID_ARGUMENT"
	default:
		return "INTERNAL"
	}
}
