// Filters rows and columns, and unfolds what a link points to. Without this script the pages are complete.
(() => {
  const form = document.querySelector("form.filter");
  const rows = [...document.querySelectorAll("[data-row]")];
  const text = new Map(rows.map((r) => [r, r.textContent.toLowerCase()]));
  const columns = [...document.querySelectorAll("[data-column]")].filter((c) => !c.matches("[data-row]"));
  const areas = [...document.querySelectorAll("details.area")];
  const groups = [...document.querySelectorAll("section.group")];
  let opened = null; // the areas that were open before a search

  const value = (name) => form.elements[name]?.value ?? "";

  function fits(row, words, level, state, wanted) {
    if (level && row.dataset.level !== level) return false;
    if (state && ![...row.querySelectorAll("td." + state)].some((c) => !c.hidden)) return false;
    if (row.dataset.column && !wanted.every((w) => row.dataset.column.split(" ").includes(w))) return false;
    return text.get(row).includes(words);
  }

  function filter() {
    const words = value("q").trim().toLowerCase(), level = value("level"), state = value("state");
    const wanted = [...form.querySelectorAll("select[name=column]")].map((s) => s.value).filter(Boolean);
    for (const c of columns) c.hidden = !wanted.every((w) => c.dataset.column.split(" ").includes(w));
    for (const r of rows) r.hidden = !fits(r, words, level, state, wanted);
    for (const g of groups) g.hidden = !g.querySelector("[data-row]:not([hidden])");
    const on = words !== "" || level !== "" || state !== "" || wanted.length > 0;
    if (on) opened ??= areas.map((a) => a.open);
    areas.forEach((a, i) => {
      a.hidden = !a.querySelector("[data-row]:not([hidden])");
      a.open = on ? words !== "" && !a.hidden : opened?.[i] ?? a.open;
    });
    if (!on) opened = null;
    const shown = new Set(rows.filter((r) => !r.hidden).map((r) => r.querySelector("th a, .rule")?.textContent ?? "")).size;
    document.getElementById("found").textContent = on ? shown + " shown" : "";
  }

  function unfold() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let e = target; e; e = e.parentElement) if (e.matches("details")) e.open = true;
    target?.scrollIntoView();
  }

  if (form) {
    form.hidden = rows.length === 0;
    form.addEventListener("input", filter);
    form.addEventListener("submit", (e) => e.preventDefault());
  }
  addEventListener("hashchange", unfold);
  if (location.hash) unfold();
})();
