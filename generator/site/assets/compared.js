/* Lets a reader choose which models a finding compares: its figures and their tables follow, and so does the address of
   the page. What the page shows at first is in the page; the rest is fetched when it is asked for.

   The page itself names this script, so that it runs on arrival, with instant navigation too. */
(function () {
  "use strict";

  const DRAWN = ["value", "low", "high", "bound", "second_bound", "published"]; // columns along the axis of a figure
  const SAID_UNITS = ["nats", "doublings", "pieces"], JUDGED = ["met", "missed", "open", "disputed"]; // as figures.py and claim.py have them
  const boxes = () => [...document.querySelectorAll(".fg-compared input")];
  const changed = () => boxes().some((box) => box.checked !== box.defaultChecked);
  const name = (box) => box.parentElement.querySelector("bdi");

  /* The title of a figure, as part_seen of generator/pages/claims/figures.py has it. */
  function titled(rows) {
    const { claim, part, unit } = rows[0], having = rows.filter((row) => row.outcome !== null);
    const judged = having.filter((row) => !row.hollow), all = judged.length ? judged : having;
    const ordered = [...all].sort((one, other) => one.value - other.value), [low, high] = [ordered[0], ordered[ordered.length - 1]];
    const number = (row) => row.said, ends = SAID_UNITS.includes(unit) ? " " + unit : "";
    const where = all.length > 1 && number(low) === number(high) ? number(low) + ends + " in all " + all.length + " models"
      : all.length > 1 ? number(low) + " in " + low.name + ", up to " + number(high) + ends + " in " + high.name
      : number(low) + ends + " in " + low.name;
    const whole = all.some((row) => JUDGED.includes(row.outcome)) && !all.some((row) => row.judged) ? "; the claim as a whole is not judged"
      : all.length < having.length ? ", hollow dots aside" : "";
    return part[0].toUpperCase() + part.slice(1) + ": " + where + whole + " (" + claim + ")";
  }

  /* What a figure shows: the rows of the chosen models and an axis for them; what it shows at first, if none has a row. */
  function compared(figure, first, every) {
    const names = boxes().filter((box) => box.checked).map((box) => name(box).textContent);
    const rows = every.filter((row) => row.outcome === null || names.includes(row.name));
    const shown = changed() && rows.some((row) => row.outcome !== null) ? { rows, settings: { ...first.settings } } : first;
    const drawn = shown.rows.flatMap((row) => DRAWN.map((column) => row[column]));
    shown.settings.left = Math.min(0, ...drawn);
    shown.settings.right = Math.max(0, ...drawn); // null counts as 0
    window.fieldguide.entitle(figure.querySelector(".fg-title"), titled(shown.rows));
    return shown;
  }

  async function show(part) {
    const data = await window.fieldguide.data(part);
    const chosen = boxes().filter((box) => box.checked), slugs = chosen.map((box) => box.value);
    part.querySelector("[role=status] span").innerHTML =
      chosen.length + " of " + boxes().length + ": " + chosen.map((box) => box.parentElement.querySelector(".fg-shown").outerHTML).join(", ");
    for (const [place, { first, rows, below }] of Object.entries(data).filter(([one]) => one.startsWith("#"))) {
      const found = slugs.filter((slug) => slug in rows);
      const body = document.querySelector(place + " tbody");
      body.innerHTML = (found.length ? found : first).map((slug) => rows[slug]).join("") + below;
    }
    document.querySelectorAll(".fg-figure").forEach(window.fieldguide.again);
    part.dataset.shown = slugs.join(" ");
  }

  function keep() {
    const asked = new URLSearchParams(location.search);
    asked.delete("model");
    if (changed()) for (const box of boxes()) if (box.checked) asked.append("model", box.value);
    const query = asked.toString();
    history.replaceState(history.state, "", location.pathname + (query && "?" + query) + location.hash);
  }

  function mount(part) {
    window.fieldguide.compared = compared;
    const asked = new URLSearchParams(location.search).getAll("model");
    const known = boxes().some((box) => asked.includes(box.value));
    for (const box of boxes()) {
      box.checked = known ? asked.includes(box.value) : box.defaultChecked;
      box.addEventListener("change", () => {
        if (!boxes().some((one) => one.checked)) box.checked = true; // one model at least stays chosen
        keep();
        show(part);
      });
    }
    part.querySelector("details").hidden = false;
    part.dataset.ready = "";
    if (changed()) show(part);
  }

  document.querySelectorAll(".fg-compared:not([data-ready])").forEach(mount);
})();
