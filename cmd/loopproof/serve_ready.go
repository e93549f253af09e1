package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"slices"
	"strings"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/operations"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/wire"
)

// ready prints where the provider listens.
func (v *service) ready() error {
	base := baseURL(v.listener.Addr().String())
	if v.flags.operations.cert != "" {
		base = "https" + strings.TrimPrefix(base, "http")
	}
	ids := make([]string, len(v.scenarios))
	for i, s := range v.scenarios {
		ids[i] = s.ID
	}
	if len(ids) == 0 {
		v.log("there is no --scenario: every request gets an error that says so")
	}
	played := append([]*profiles.Profile{v.profile}, v.others...)
	var spoken []*wire.Dialect
	for _, p := range played {
		spoken = append(spoken, p.Speaks)
	}
	urls := sdkBaseURLs(base, spoken)
	below, models := v.namesRouted()
	if v.people && !v.flags.json {
		return v.readyForPeople(base, urls, played, ids)
	}
	return json.NewEncoder(v.out).Encode(struct {
		BaseURL       string   `json:"base_url"`
		OpenAIBaseURL string   `json:"openai_base_url"` // what the SDKs of OpenAI take
		JournalURL    string   `json:"journal_url"`
		Profile       string   `json:"profile"`
		Scenarios     []string `json:"scenarios"`
		MetricsURL    string   `json:"metrics_url"`
		PageURL       string   `json:"page_url"`
		Version       string   `json:"version"`
		PID           int      `json:"pid"`
		Profiles      []string `json:"profiles"` // each of another dialect

		Below  map[string][]string `json:"profiles_below,omitempty"`    // other profiles, by the prefix of the paths
		Models map[string][]string `json:"profiles_by_model,omitempty"` // others, by the pattern of the models

		MCP map[string]string `json:"mcp_urls,omitempty"` // of the MCP servers of the scripts, by their names

		// by the environment variables in which official SDKs look for them
		SDKBaseURLs map[string]string `json:"sdk_base_urls"`

		*ownTLS
	}{base, base + "/v1", base + "/loopproof/requests", v.profile.Name, ids, base + operations.MetricsPath, base + "/loopproof/", loopproof.Version, os.Getpid(), profiles.Names(played), below, models, v.mcpURLs(base), urls, v.flags.operations.ownTLS(base)})
}

// ownTLS is where a server answers https by certificates of its own.
type ownTLS struct {
	URL    string `json:"https_url"`
	Proxy  string `json:"https_proxy"`
	CA     string `json:"ca_certificate"` // as PEM
	CAFile string `json:"ca_file,omitempty"`
}

// ownTLS returns where https is answered by certificates that are made, or nil.
func (f *operationFlags) ownTLS(base string) *ownTLS {
	if f.ca == nil {
		return nil
	}
	return &ownTLS{"https" + strings.TrimPrefix(base, "http"), base, string(f.ca.PEM()), f.caFile}
}

// readyForPeople prints where the provider listens, what to set, and where to look.
func (v *service) readyForPeople(base string, urls map[string]string, played []*profiles.Profile, scenarios []string) error {
	page := &textlayout.Builder{Colour: v.colour, Width: v.width}
	var titles []string
	for _, p := range played {
		titles = append(titles, fmt.Sprintf("%s (%s)", p.Title, p.Name))
	}
	page.Line(0, "The mock provider is ready, and answers as "+strings.Join(titles, ", ")+".")
	page.Line(0, "")
	page.Item("address", base)
	for _, variable := range slices.Sorted(maps.Keys(urls)) {
		page.Command("set", variable+"="+urls[variable])
	}
	page.Item("", "for the official SDKs; any key will do")
	for _, r := range v.routes {
		if r.Prefix != "" {
			page.Item("below", fmt.Sprintf("%s%s as %s (%s)", base, r.Prefix, r.Profile.Title, r.Profile.Name))
		} else {
			page.Item("models", fmt.Sprintf("%s as %s (%s)", r.Models, r.Profile.Title, r.Profile.Name))
		}
	}
	if own := v.flags.operations.ownTLS(base); own != nil {
		page.Item("https", fmt.Sprintf("%s, and for fixed addresses HTTPS_PROXY=%s", own.URL, own.Proxy))
		page.Item("", "trust "+cmp.Or(own.CAFile, "the certificate that --ca-file FILE writes")+": SSL_CERT_FILE, REQUESTS_CA_BUNDLE, NODE_EXTRA_CA_CERTS")
	}
	mcp := v.mcpURLs(base)
	for _, name := range slices.Sorted(maps.Keys(mcp)) {
		page.Item("MCP", mcp[name])
	}
	page.Item("watch", base+"/loopproof/ shows every request and its answer")
	page.Item("journal", base+"/loopproof/requests")
	page.Item("scenarios", textlayout.Shorten(strings.Join(scenarios, ", "), 300))
	page.Line(0, "")
	page.Line(0, "Ctrl-C ends it, and tells what was wrong with the requests.")
	_, err := io.WriteString(v.out, page.String())
	return err
}

// mcpURLs returns the URLs of the MCP servers of the scripts, by their names.
func (v *service) mcpURLs(base string) map[string]string {
	urls := map[string]string{}
	for _, s := range v.scenarios {
		for _, m := range s.MCPServers {
			urls[m.Name] = base + "/mcp/" + m.Name
		}
	}
	return urls
}

// sdkBaseURLs returns the base URLs for the official SDKs of some dialects, by the environment
// variables in which they look for them.
func sdkBaseURLs(base string, dialects []*wire.Dialect) map[string]string {
	urls := map[string]string{}
	for _, d := range dialects {
		urls[d.Endpoint.URLVariable()] = base + d.Endpoint.BasePath
	}
	return urls
}

// baseURL returns the URL of a server that listens on an address: that of the loopback address if it
// listens on all.
func baseURL(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "http://" + address
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

func (v *service) log(format string, args ...any) { v.operations.tell(v.streams, format, args...) }

func (v *service) warn(format string, args ...any) { v.operations.warn(v.streams, format, args...) }

// remark returns what tells the authors of a loop something, in a line that progress does not
// overwrite.
func (s streams) remark(shown *progress) func(string) {
	return func(remark string) {
		shown.clear()
		s.log("warning: %s", remark)
	}
}

func (s streams) log(format string, args ...any) {
	fmt.Fprintln(s.err, "loopproof: "+strings.TrimRight(fmt.Sprintf(format, args...), " \n"))
}
