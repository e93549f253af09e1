// Keeps the page up to date while a run goes on. Without this script the page is complete, but stands still.
(() => {
  const status = document.getElementById("live");
  const keyed = (root) => [...root.querySelectorAll("[data-key]")];

  // Elements of the same version stay as they are, with the focus and with what is unfolded in them.
  function merge(fresh) {
    const old = new Map(keyed(document).map((e) => [e.dataset.key, e]));
    const list = document.querySelector("[data-list]");
    const freshList = fresh.querySelector("[data-list]");
    if (!list || !freshList || list.tagName !== freshList.tagName) {
      document.getElementById("main").replaceWith(fresh.getElementById("main"));
      offer();
      return;
    }
    const seen = new Set();
    let place = null;
    for (const e of keyed(fresh)) {
      seen.add(e.dataset.key);
      let here = old.get(e.dataset.key);
      if (here && here.dataset.version !== e.dataset.version) {
        const unfolded = [...here.querySelectorAll("details")].map((d) => d.open);
        e.querySelectorAll("details").forEach((d, i) => { d.open = unfolded[i] ?? d.open; });
        const focused = here === document.activeElement;
        here.replaceWith(e);
        if (focused) e.focus({ preventScroll: true });
        here = e;
      }
      const listed = freshList.contains(e) || list.contains(e) || (here && list.contains(here));
      if (!here) {
        here = e;
        if (!listed) document.getElementById("main").append(here);
      }
      if (listed) {
        const next = place ? place.nextElementSibling : list.firstElementChild;
        if (next !== here) list.insertBefore(here, next);
        place = here;
      }
    }
    for (const [key, e] of old) if (!seen.has(key)) e.remove();
    document.title = fresh.title;
  }

  let running = false, again = false;
  async function refresh() {
    if (running) { again = true; return; }
    running = true;
    do {
      again = false;
      const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 40 && window.scrollY > 0;
      try {
        const answer = await fetch(location.pathname + location.search, { headers: { Accept: "text/html" } });
        if (!answer.ok) throw new Error(answer.status);
        merge(new DOMParser().parseFromString(await answer.text(), "text/html"));
        if (atEnd) window.scrollTo(0, document.documentElement.scrollHeight);
        status.textContent = "Live.";
      } catch {
        status.textContent = "The server does not answer.";
      }
    } while (again);
    running = false;
  }

  const events = new EventSource(document.body.dataset.events);
  events.addEventListener("open", () => { status.textContent = "Live."; });
  let state = document.body.dataset.state;
  events.addEventListener("changed", (e) => {
    const now = JSON.parse(e.data);
    if (now !== state) refresh();
    state = now;
  });
  events.addEventListener("error", () => { status.textContent = "The server has gone; trying again."; });

  // The filter shows what fits while one types. Without this script its button does.
  const filtered = () => document.querySelector("form.filter");
  let typing;
  function filter() {
    clearTimeout(typing);
    const set = [...new FormData(filtered())].filter(([, value]) => value !== "");
    const query = new URLSearchParams(set).toString();
    history.replaceState(null, "", location.pathname + (query && "?" + query));
    refresh();
  }
  document.addEventListener("input", (e) => {
    if (!filtered()?.contains(e.target)) return;
    clearTimeout(typing);
    typing = setTimeout(filter, e.target.type === "search" ? 250 : 0);
  });
  document.addEventListener("submit", (e) => {
    if (e.target !== filtered()) return;
    e.preventDefault();
    filter();
  });

  // Pages of http:// at an address of the network have no navigator.clipboard.
  async function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("refused");
  }
  const offer = () => document.querySelectorAll(".copy").forEach((b) => { b.hidden = false; });
  offer();
  document.addEventListener("click", async (e) => {
    const button = e.target.closest?.(".copy");
    if (!button) return;
    try {
      await copy(button.dataset.copy);
      button.textContent = "Copied";
      button.focus();
    } catch {
      button.textContent = "Not copied";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });

  document.querySelector(".keys").hidden = false;
  document.addEventListener("keydown", (e) => {
    if (e.target.closest?.("input, select, textarea")) return;
    if (e.key === "/" && !e.ctrlKey && !e.metaKey && !e.altKey && filtered()) {
      e.preventDefault();
      filtered().elements.q.focus();
      return;
    }
    if (e.ctrlKey || e.metaKey || e.altKey || !["j", "k", "f"].includes(e.key)) return;
    const stops = [...document.querySelectorAll(e.key === "f" ? ".finding" : "article, tr[data-key] a")];
    if (stops.length === 0) return;
    const at = stops.findIndex((s) => s === document.activeElement || s.contains(document.activeElement));
    const next = stops[Math.min(stops.length - 1, Math.max(0, e.key === "k" ? at - 1 : at + 1))];
    if (!next.matches("a")) next.tabIndex = -1;
    next.focus();
    next.scrollIntoView({ block: "start" });
  });
})();
