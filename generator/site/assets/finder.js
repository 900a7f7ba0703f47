/* Answers questions about all heads: an expression such as `previous > 0.5 and layer <= 4`, a model, an order. The
   address keeps the question. Numbers come as a script, which works from disk too; expressions are read by the small
   parser below, since pages may evaluate no text. The page itself names this script, so that it runs on arrival. */
(function () {
  "use strict";

  const here = document.currentScript.src;
  const STEP = 50;
  const SIGN = { "≤": "<=", "≥": ">=", "≠": "!=", "==": "=", "&&": "and", "||": "or", "!": "not" };
  const SAID = /^(an?|and|are|at|do|does|find|finds|for|heads?|is|it|look|looks|me|of|on|show|that|the|to|what|which|with)$/i; // no word of these says what is asked
  const TOKEN = /\s*(?:(\d+(?:\.\d+)?|\.\d+)(\s*%)?|\[([a-z]+)\]|([a-z_][\w:]*(?:\.(?:-?\d+|[a-z_]\w*))*)|(<=|>=|!=|==|&&|\|\||[<>=()+!≤≥≠-]))/iy;
  const COMPARE = {
    "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
    "=": (a, b) => a === b, "!=": (a, b) => a < b || a > b, // what is unknown differs from nothing
  };

  function split(text) {
    const tokens = [];
    let at = 0;
    while (text.slice(at).trim()) {
      TOKEN.lastIndex = at;
      const found = TOKEN.exec(text);
      if (!found) throw new Error("Expected numbers, names and comparisons, found “" + text.slice(at).trim() + "”.");
      const [, number, percent, special, word, sign] = found, name = special || word, last = tokens[tokens.length - 1];
      if (/^(and|or|not)$/i.test(word)) tokens.push({ at, sign: word.toLowerCase() });
      else if (name && last && last.name) last.name += " " + name;
      else tokens.push({ at, number: number && Number(number + (percent ? "e-2" : "")), name, sign: SIGN[sign] || sign });
      at = TOKEN.lastIndex;
    }
    return tokens;
  }

  /* Text -> a function from the place of a head to whether it fits. `look` gives the numbers of a name; `compared` is
     told each name that stands alone beside a comparison, and a function from the head to what its number is compared with;
     `alone` answers a name that is compared with nothing, such as a word of the field.
     any: all (or all)*   all: one (and one)*   one: not one | (any) | name | sum sign sum   sum: value (+- value)* */
  function compile(text, look, compared, alone) {
    const tokens = split(text);
    let next = 0;
    const is = (...signs) => next < tokens.length && signs.includes(tokens[next].sign);

    function expected(what) {
      const found = next < tokens.length ? "“" + text.slice(tokens[next].at).trim() + "”" : "the end";
      return new Error("Expected " + what + ", found " + found + "; write it like “previous > 0.5 and layer <= 4”.");
    }
    function joined(sign, part, join) {
      let left = part();
      while (is(sign)) {
        next++;
        left = join(left, part());
      }
      return left;
    }
    const any = () => joined("or", all, (a, b) => (head) => a(head) || b(head));
    const all = () => joined("and", one, (a, b) => (head) => a(head) && b(head));
    function one() {
      if (is("not")) {
        next++;
        const inner = one();
        return (head) => !inner(head);
      }
      if (!is("(")) return comparison();
      next++;
      const inner = any();
      if (!is(")")) throw expected("a closing bracket");
      next++;
      return inner;
    }
    function comparison() {
      const after = tokens[next + 1];
      if (tokens[next]?.name && (!after || ["and", "or", ")"].includes(after.sign))) return alone(tokens[next++].name);
      const start = next, left = sum(), end = next;
      if (!is(...Object.keys(COMPARE))) throw expected("a comparison such as > or <=");
      const compare = COMPARE[tokens[next++].sign], right = sum();
      if (end === start + 1 && tokens[start].name) compared(tokens[start].name, right);
      if (next === end + 2 && tokens[end + 1].name) compared(tokens[end + 1].name, left);
      return (head) => compare(left(head), right(head));
    }
    function sum() {
      let left = value();
      while (is("+", "-")) {
        const sign = tokens[next++].sign === "+" ? 1 : -1, before = left, right = value();
        left = (head) => before(head) + sign * right(head);
      }
      return left;
    }
    function value() {
      const token = tokens[next];
      if (is("-")) {
        next++;
        const inner = value();
        return (head) => -inner(head);
      }
      if (!token || token.sign) throw expected("a number or the name of a measure or relation");
      next++;
      if (token.name === undefined) return () => token.number;
      const numbers = look(token.name);
      return (head) => numbers[head];
    }

    const whole = any();
    if (next < tokens.length) throw expected("“and”, “or” or the end");
    return whole;
  }

  function load() {
    if (window.fieldguideHeads) return Promise.resolve(window.fieldguideHeads);
    return new Promise((resolve, reject) => {
      const element = document.createElement("script");
      element.src = here.replace(/assets\/fieldguide\/[^/]*$/, "heads/heads.js");
      element.onload = () => resolve(window.fieldguideHeads);
      element.onerror = () => reject(new Error("The numbers of the heads could not be loaded; load the page again."));
      document.head.append(element);
    });
  }

  function mount(part, data) {
    const table = document.getElementById("finder"), told = document.getElementById("finder-told");
    const more = document.querySelector(".fg-more"), every = data.head.map((_, head) => head);
    const control = {};
    for (const one of part.querySelectorAll("[name]")) control[one.name] = one;
    const columns = new Map([["layer", data.layer], ["head", data.head]]);
    data.columns.forEach(([name], at) => columns.set(name, data.values[at].split(" ").map(Number))); // NaN for the dash
    const titles = new Map(data.columns), also = new Map(Object.entries(data.also || {})); // also: other name -> column
    let asked, limit; // asked: column -> functions from a head to what its number is compared with

    function column(name) {
      const word = name.replaceAll(" ", "_"), plain = word.toLowerCase().replace(/^attention(\.|_to_(the_)?)/, "");
      return [word, word.toLowerCase(), plain, plain + "s"].map((one) => (columns.has(one) ? one : also.get(one))).find(Boolean);
    }
    function known(name) {
      const found = column(name);
      if (!found) {
        const near = [...columns.keys(), ...also.keys()].filter((one) => one.includes(name.toLowerCase().slice(0, 3))).slice(0, 3);
        const hint = near.length ? "did you mean " + near.join(" or ") + "?" : "all names are in the list below the table.";
        throw new Error("Expected the name of a measure or relation, found “" + name + "”; " + hint);
      }
      if (!asked.has(found)) asked.set(found, []);
      return found;
    }

    /* A word of the field, or a name without a comparison: heads of a kind, or all that have the number, largest first. */
    function alone(name) {
      const said = name.split(" ").filter((word) => !SAID.test(word)).join(" ") || name, plain = said.toLowerCase();
      const word = [plain, plain + "s", plain.replace(/s$/, "")].find((one) => Object.hasOwn(data.words, one));
      const known = word && data.words[word];
      if (Array.isArray(known)) return (head) => known.includes(data.kind[head]);
      if (known && known.why) throw new Error(known.why);
      const found = column(known || said);
      if (!found) {
        throw new Error("Expected a word that this list knows, found “" + said + "”; it knows " + Object.keys(data.words).join(", ") + ", and all names below the table.");
      }
      if (!asked.has(found)) asked.set(found, []);
      return (head) => !isNaN(columns.get(found)[head]);
    }

    function cell(row, kind, ...content) {
      const element = document.createElement(kind);
      element.append(...content);
      row.append(element);
      return element;
    }
    function link(text, to) {
      const element = document.createElement("a"), name = document.createElement("bdi");
      name.textContent = text;
      element.href = here.replace(/assets\/fieldguide\/[^/]*$/, to) + (location.protocol === "file:" ? "index.html" : "");
      element.append(name);
      return element;
    }

    function head(row, names, order) {
      row.replaceChildren();
      for (const name of ["model", "head", "what it does"]) cell(row, "th", name);
      for (const name of names) {
        const button = document.createElement("button"), sorted = name === order;
        button.type = "button";
        button.textContent = name;
        button.title = "Sort by " + (titles.get(name) || name);
        button.addEventListener("click", () => {
          control.order.value = sorted && !control.order.value ? "up" : "";
          control.sort.value = name;
          changed();
          const chosen = table.querySelector("th[aria-sort] button");
          if (chosen) chosen.focus();
        });
        const th = cell(row, "th", button);
        if (sorted) th.setAttribute("aria-sort", control.order.value ? "ascending" : "descending");
      }
    }

    function shown(name, one) {
      return window.fieldguideWrite(columns.get(name)[one], (asked.get(name) || []).map((bound) => bound(one)));
    }

    function draw() {
      const text = control.where.value.trim(), model = data.models.findIndex(([slug]) => slug === control.model.value);
      asked = new Map();
      let fits = () => true;
      try {
        const look = (name) => columns.get(known(name)), compared = (name, bound) => asked.get(known(name)).push(bound);
        if (text) fits = compile(text.replace(/[?.!]+$/, ""), look, compared, alone);
      } catch (error) {
        told.textContent = error.message;
        control.where.setAttribute("aria-invalid", "true");
        table.tBodies[0].replaceChildren(); // heads of another question would seem to answer this one
        more.parentElement.hidden = true;
        return;
      }
      control.where.removeAttribute("aria-invalid");
      const found = every.filter((one) => (model < 0 || data.model[one] === model) && fits(one));
      asked.delete("head");
      asked.delete("layer");
      const order = control.sort.value || [...asked.keys()][0], by = columns.get(order), sign = control.order.value ? 1 : -1;
      if (by) found.sort((a, b) => isNaN(by[a]) - isNaN(by[b]) || sign * (by[a] - by[b]) || 0);
      else if (control.order.value) found.reverse();
      const names = [...new Set([...asked.keys(), ...(by ? [order] : []), ...data.shown])];
      head(table.tHead.rows[0], names, order);
      const rows = found.slice(0, limit).map((one) => {
        const row = document.createElement("tr"), [slug, name] = data.models[data.model[one]];
        const at = data.layer[one] + "-" + data.head[one], swatch = document.createElement("span");
        swatch.className = "fg-swatch fg-kind-" + data.kind[one];
        cell(row, "td", link(name, "models/" + encodeURIComponent(slug) + "/"));
        cell(row, "td", link(at, "models/" + encodeURIComponent(slug) + "/heads/" + at + "/"));
        cell(row, "td", swatch, data.titles[data.title[one]]);
        for (const column of names) cell(row, "td", shown(column, one));
        return row;
      });
      table.tBodies[0].replaceChildren(...rows);
      told.textContent = found.length + " of " + every.length + " heads" + (found.length > limit ? ", the first " + limit + " shown" : "") + ".";
      more.parentElement.hidden = found.length <= limit;
    }

    function changed() {
      limit = STEP;
      draw();
      const query = new URLSearchParams();
      for (const one of Object.values(control)) if (one.value.trim()) query.set(one.name, one.value.trim());
      history.replaceState(history.state, "", location.pathname + (String(query) && "?" + query) + location.hash);
    }
    function read() {
      if (!part.isConnected) return;
      const query = new URLSearchParams(location.search);
      for (const one of Object.values(control)) {
        one.value = query.get(one.name) || "";
        if (one.selectedIndex < 0) one.value = "";
      }
      limit = STEP;
      draw();
    }

    for (const one of Object.values(control)) one.addEventListener(one.tagName === "SELECT" ? "change" : "input", changed);
    more.addEventListener("click", () => {
      limit += STEP;
      draw();
    });
    window.addEventListener("popstate", read);
    if (window.location$) window.location$.subscribe(() => setTimeout(read)); // an example was chosen: another question
    part.hidden = false;
    read();
    part.dataset.ready = "";
  }

  for (const part of document.querySelectorAll(".fg-finder:not([data-ready])")) {
    load().then((data) => mount(part, data), (error) => (document.getElementById("finder-told").textContent = error.message));
  }
})();
