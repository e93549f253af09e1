// Filters the report, and unfolds what a link points to. Without this script the report is complete.
(() => {
  const form = document.querySelector("form.filter");
  const parts = [...document.querySelectorAll("[data-filter]")];
  const text = new Map(parts.map((p) => [p, p.textContent.toLowerCase()]));
  const areas = [...document.querySelectorAll("details.area")];
  const before = new Map(areas.map((a) => [a, false]));
  let filtered = false;

  function filter() {
    const words = form.elements.q.value.trim().toLowerCase(), level = form.elements.level.value;
    for (const p of parts) p.hidden = (level && p.dataset.filter !== level) || !text.get(p).includes(words);
    const on = words !== "" || level !== "";
    for (const a of areas) {
      if (!filtered) before.set(a, a.open);
      a.hidden = !a.querySelector("tbody tr:not([hidden])");
      a.open = on ? words !== "" && !a.hidden : before.get(a);
    }
    filtered = on;
    const rules = new Set(parts.filter((p) => !p.hidden).map((p) => p.id).filter(Boolean));
    document.getElementById("found").textContent = on ? rules.size + (rules.size === 1 ? " rule" : " rules") : "";
  }

  function unfold() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let e = target; e; e = e.parentElement) if (e.matches("details")) e.open = true;
    target?.scrollIntoView();
  }

  form.hidden = parts.length === 0;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (e) => e.preventDefault());
  addEventListener("hashchange", unfold);
  if (location.hash) unfold();
})();
