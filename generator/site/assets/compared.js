/* Lets a reader choose which models a finding compares: its sentences, figures and tables follow, and so does the
   address of the page. What the page shows at first is in the page; the rest is fetched when it is asked for.

   The page itself names this script, so that it runs on arrival, with instant navigation too. */
(function () {
  "use strict";

  const DRAWN = ["value", "low", "high", "bound", "second_bound", "published"]; // columns along the axis of a figure
  const SAID_UNITS = ["nats", "doublings", "pieces"], JUDGED = ["met", "missed", "open", "disputed"]; // as figures.py and claim.py have them
  const BRIEFLY = { fails: "Not so in {any}.", inconclusive: "For {models} it remains open." }; // as telling.py has it
  const SURE = ["", "", "", null, false], SIGNLESS = 4, UNMEASURED = "too little was read for an interval"; // as doubts.py has it
  const NUMBERLESS = "a number that is not known";
  const boxes = () => [...document.querySelectorAll(".fg-compared input")];
  const changed = () => boxes().some((box) => box.checked !== box.defaultChecked);
  const name = (box) => box.parentElement.querySelector("bdi");
  const listed = (some, last = "and") => [some.slice(0, -1).join(", "), ...some.slice(-1)].filter(Boolean).join(` ${last} `);
  const escaped = (text) => Object.assign(document.createElement("i"), { textContent: text }).innerHTML;

  /* The title of a figure, as part_seen of generator/pages/claims/figures.py has it. */
  function titled(rows) {
    const { claim, part, unit } = rows[0], all = rows.filter((row) => row.outcome !== null);
    const ordered = [...all].sort((one, other) => one.value - other.value), [low, high] = [ordered[0], ordered[ordered.length - 1]];
    const number = (row) => row.told.split(" (")[0], ends = SAID_UNITS.includes(unit) ? " " + unit : "";
    const where = all.length > 1 && number(low) === number(high) ? number(low) + ends + " in all " + all.length + " models"
      : all.length > 1 ? number(low) + " in " + low.name + ", up to " + number(high) + ends + " in " + high.name
      : number(low) + ends + " in " + low.name;
    const whole = all.some((row) => JUDGED.includes(row.outcome)) && !all.some((row) => row.judged) ? "; the claim as a whole is not judged" : "";
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

  /* A sentence for each verdict that chosen models have, as generator/pages/written/telling.py writes it. */
  function told(sentences, slugs, names, joined) {
    const having = (name) => slugs.filter((slug) => slug in sentences[name].models);
    const found = Object.keys(sentences).filter((name) => having(name).length);
    let left = slugs.length;
    const shown = found.filter((name) => name !== "nowhere" || found.length === 1), verdict = (one) => one.split("_")[0];
    const differs = (one) => verdict(one) !== verdict(shown[0]) && !sentences[one].shared;
    const spoken = shown.length ? [...sentences[shown[0]].sentence.matchAll(/\{(\d+)/g)].map(([, part]) => Number(part)) : [];
    const denied = (one) => !spoken.length || having(one).every((slug) => spoken.includes(sentences[one].models[slug].decides));
    const brief = (one) => joined && !shown[0].endsWith("_bare") && differs(one) && (verdict(one) !== "fails" || denied(one)) && BRIEFLY[verdict(one)];
    const all = shown.map((name, order) => {
      const { models } = sentences[name], sentence = brief(name) || sentences[name].sentence, alike = having(name);
      const last = alike.length === left && left > 2;
      left -= alike.length;
      const told = sentence.split(/\{([^{}]*)\}/).map((text, at) => {
        if (at % 2 === 0) return escaped(text);
        if (text === "against") return escaped(alike.map((slug) => models[slug].against).join("; "));
        if (text === "heads") return bracketed(alike.map((slug) => [models[slug].heads, names[slug]]));
        if (text !== "models" && text !== "any") return escaped(range(alike.map((slug) => models[slug][text])));
        if (!last) return listed(alike.map((slug) => names[slug]));
        return (order ? "the other " : text === "any" ? "any of the " : "all ") + alike.length + " models here";
      }).join("");
      const unsure = alike.map((slug) => [names[slug], models[slug][brief(name) ? "brief" : "unsure"] || SURE]);
      const end = doubted(unsure, sentence, brief(name) ? verdict(name) === "inconclusive" : sentences[name].open);
      return end ? told.replace(/\.$/, "") + end + "." : told;
    });
    return joined ? all.map(clause).join("; ") + "." : all.join(" ");
  }

  /* The few heads that verdicts rest on, in brackets; of several models with the names of these. */
  function bracketed(found) {
    const named = found.filter(([heads]) => heads).map(([heads, model]) => (found.length > 1 ? heads + " in " + model : heads));
    return named.length ? " (" + listed(named) + ")" : "";
  }

  /* A sentence as a part of one that joins several, as generator/pages/written/in_markdown.py has it. */
  function clause(sentence, at) {
    const part = sentence.replace(/\.$/, "");
    return at ? part.replace(/^[A-Z](?=[a-z]* )/, (capital) => capital.toLowerCase()) : part;
  }

  /* A note about the chosen models of which there is something to say; those with the same words stand together. */
  function noted({ start, end, models }, slugs, names) {
    const found = slugs.filter((slug) => slug in models), words = (slug) => models[slug].join("\n");
    const told = [...new Set(found.map(words))].map((same) => {
      const alike = found.filter((slug) => words(slug) === same), [before, after] = models[alike[0]];
      return before + listed(alike.map((slug) => names[slug])) + after;
    });
    return found.length ? start + told.join("; ") + end : "";
  }

  /* What a sentence leaves unsure about models, as generator/pages/written/doubts.py has it. */
  function doubted(doubts, sentence, leftOpen) {
    const signless = doubts.filter(([, one]) => one[SIGNLESS]).map(([model]) => model), all = signless.length === doubts.length;
    const interval = doubts.length > 1 ? "each interval" : "the interval";
    if (!leftOpen) {
      const whose = " for " + listed(signless) + ", whose interval" + (signless.length > 1 ? "s include" : " includes") + " 0";
      return signless.length ? ", but whether more or less is not sure" + (all ? ", as " + interval + " includes 0" : whose) : "";
    }
    const key = ([, one]) => one.slice(0, 3).join("\n"), colon = sentence.includes(": ") ? "; " : ": ";
    const alike = [...new Set(doubts.map(key))].map((same) => doubts.filter((one) => key(one) === same));
    const told = alike.map((some) => why(some.map(([, one]) => one)));
    if (told.length > 1) return colon + told.map((one, at) => "for " + listed(alike[at].map(([model]) => model)) + " " + one).join("; ");
    const also = !signless.length ? "" : all ? " and also 0" : ", for " + listed(signless) + " also 0";
    return (doubts[0][1][0] ? colon : ", " + joint(doubts[0][1]) + " ") + told[0] + also;
  }

  /* What leaves a claim open for models of which it is the same. */
  function why(alike) {
    const [about, threshold, against] = alike[0];
    const end = threshold ? (alike.length > 1 ? "each" : "the") + " interval includes the threshold of " + threshold : against;
    return escaped(about ? about + " is " + range(alike.map((one) => one[3])) + ", " + joint(alike[0]) + " " + end : end);
  }

  function joint([, , against]) {
    return ["", UNMEASURED].includes(against) ? "and" : "but";
  }

  /* One number with its interval, or the lowest and the highest of several, as ranged of places.py has it. */
  function range(numbers) {
    const known = numbers.filter(Boolean);
    if (known.length < 2) return known.length ? known[0][0] : NUMBERLESS;
    const told = known.sort((one, other) => one[1] - other[1]).map(([, , text]) => text);
    const below = told.filter((text) => text.endsWith(" less")).reverse(), above = told.slice(below.length);
    return [below, above].filter((some) => some.length).map(span).join(" or ");
  }

  /* The first and the last of several, whose unit and sign stand once. */
  function span(told) {
    const low = told[0], high = told.at(-1), unit = (one) => one.split(" ").slice(1).join(" ");
    return low === high ? high : (unit(low) === unit(high) ? low.split(" ")[0] : low) + " to " + high;
  }

  async function show(part) {
    const data = await window.fieldguide.data(part);
    const chosen = boxes().filter((box) => box.checked), slugs = chosen.map((box) => box.value);
    part.querySelector("[role=status] span").innerHTML =
      chosen.length + " of " + boxes().length + ": " + chosen.map((box) => name(box).outerHTML).join(", ");
    for (const span of document.querySelectorAll("[data-told]")) {
      span.innerHTML = told(data[span.dataset.told], slugs, data.names, "joined" in span.dataset);
    }
    for (const span of document.querySelectorAll("[data-noted]")) {
      span.innerHTML = noted(data[span.dataset.noted], slugs, data.names);
    }
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
