/* The small menu of every figure and table: a figure's table, how to cite it, its numbers, its pictures, and the code that
   embeds it. Without it, a word below the figure opens the table.

   It is made from what the page has when a reader opens it. Pictures are light unless dark ones are asked for. */
(function () {
  "use strict";

  const cited = "CITED"; // of generator/pages/citing.py: the version, and forms with room for title and address, signs in LaTeX
  const guide = window.fieldguide;
  const TABLES = ".fg-scroll > table, .fg-matrix, article table:not([class])"; // as in embed.js
  const NUMBER = "([-+<>]?\\d[\\d.,]*)";
  const FORMULA = /^[=+\-@\t\r]./; // as in generator/results/as_csv.py
  const INTERVAL = new RegExp(`^(?:${NUMBER} \\()?${NUMBER} to ${NUMBER}\\)?$`);

  function save(name, href) {
    Object.assign(document.createElement("a"), { download: name, href }).click();
  }

  function text(name, type, content) {
    const url = URL.createObjectURL(new Blob([content], { type }));
    save(name, url);
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  function csv(list) {
    const cell = (value) => {
      if (value === null || value === undefined) return "";
      const text = FORMULA.test(value) && Number.isNaN(Number(value)) ? "'" + value : String(value);
      return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
    };
    return list.map((row) => row.map(cell).join(",") + "\n").join("");
  }

  /* The address of the page, as others should know it. */
  function page() {
    return (document.querySelector("link[rel=canonical]") || location).href.replace(/[?#].*/, "");
  }

  /* The last element before a figure or table that fits. */
  function last(part, fitting) {
    const before = (one) => one.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING;
    return [...document.querySelectorAll(fitting)].filter(before).pop();
  }

  /* All tables with a menu of their own; those of a figure are in its menu, those of a matrix share one. */
  function tables() {
    return [...document.querySelectorAll(TABLES)].filter((one) => !one.parentElement.closest("figure, .fg-matrix"));
  }

  /* The anchor of a figure or table: its own, or the nearest before it that the page has without a live chart. */
  function anchor(part) {
    return part.id || last(part, "article [id]:not([id^=__], svg *)")?.id || "";
  }

  function source(part) {
    const id = anchor(part);
    return page() + (id && "#" + id);
  }

  /* What a table is called; one of a hand-written page goes by the heading above it. */
  function called(table) {
    const heading = last(table, "article :is(h1, h2, h3)")?.cloneNode(true);
    heading?.querySelectorAll(".headerlink").forEach((one) => one.remove());
    const label = (one) => one.getAttribute("aria-label");
    return label(table) || label(table.parentElement) || heading?.textContent.trim() || "table";
  }

  function words(cell) {
    const copy = cell.cloneNode(true);
    copy.querySelectorAll("small").forEach((one) => one.before(" "));
    return copy.textContent.replace(/\s+/g, " ").trim() || cell.firstElementChild?.title || "";
  }

  /* Heads and rows of a table; a value and the ends of its interval have columns of their own. */
  function listed(table) {
    const [heads, ...rows] = [...table.rows].map((row) => [...row.cells].map(words));
    return heads.reduce((made, head, at) => {
      const column = rows.map((row) => row[at]), found = column.map((cell) => INTERVAL.exec(cell));
      const whole = found.some((one) => !one || one[1]);
      if (whole) made[0].push(head);
      if (found.some(Boolean)) made[0].push(head + " from", head + " to");
      found.forEach((one, row) => {
        if (whole) made[row + 1].push(one ? one[1] : column[row]);
        if (found.some(Boolean)) made[row + 1].push(one?.[2], one?.[3]);
      });
      return made;
    }, [[], ...rows.map(() => [])]);
  }

  /* The matrix of claims as one table: a row for each claim, and the verdict on it in a column for each model. */
  function crossed(matrix) {
    const [first] = matrix.querySelectorAll("thead tr"), title = (cell) => cell.firstElementChild.title;
    const models = [...first.cells].slice(1).map(title);
    const verdict = (cell, at) => title(cell).slice(models[at].length + 2).split(": ")[0]; // after "model: "
    const rows = [...matrix.querySelectorAll("tbody tr")].map((row) => {
      const [claim, ...cells] = row.cells, [paper] = row.closest("table").rows[0].cells;
      return [words(paper), words(claim), ...cells.map(verdict)];
    });
    return [["source of the claim", "claim", ...models], ...rows];
  }

  async function numbers(part) {
    if (part.matches(".fg-matrix")) return crossed(part);
    if (part.matches("table")) return listed(part);
    const { rows } = await guide.seen(part);
    return [Object.keys(rows[0]), ...rows.map(Object.values)];
  }

  function citation(part, label) {
    const title = document.title.replace(/ - [^-]*$/, "") + ": " + label, address = source(part);
    const latex = [...title].map((sign) => cited.latex[sign] || sign).join("");
    return cited.forms.map((form) => {
      const told = { title: form.startsWith("@") ? latex : title, address };
      return form.replace(/{(title|address)}/g, (_, name) => told[name]);
    }).join("\n\n");
  }

  /* The pictures that are published beside a page, before a live chart takes their place: files, or parts of a file. */
  function published(figure) {
    return [...figure.querySelectorAll(".fg-chart")].flatMap((slot) => {
      const file = slot.querySelector("picture:not(.fg-dark) img"), still = slot.querySelector(".fg-static");
      const ending = (dark) => (dark ? "-dark" : "");
      if (file) {
        const name = file.src.replace(/.*\//, "").replace(/\.svg$/, "");
        const [width, height] = ["width", "height"].map((one) => file.getAttribute(one));
        return { width, height, address: (dark) => page() + name + ending(dark) + ".svg" };
      }
      const name = figure.id + "-" + slot.dataset.kind, height = still && still.height.baseVal.value + 20;
      return still ? { width: 600, height, address: (dark) => page() + "figures.svg#" + name + ending(dark) } : [];
    });
  }

  /* What embed.js needs to find a figure or table again: its anchor, and the table's number among those that share it. */
  function asked(part) {
    if (part.matches("figure")) return { figure: part.id };
    const at = part.dataset.at || tables().filter((one) => anchor(one) === anchor(part)).indexOf(part) + 1;
    return { table: anchor(part), ...(at > 1 && { at }) };
  }

  /* Width and height of a frame; a long table scrolls in it. */
  function room(part) {
    if (!part.matches("figure")) return [part.offsetWidth + 32, Math.min(part.offsetHeight, 480) + 170];
    const charts = part.querySelector(".fg-charts");
    return [charts.offsetWidth + 32, charts.offsetHeight + part.querySelector("figcaption").offsetHeight + 190];
  }

  function embedding(part, label, pictures, dark) {
    const root = new URL("../../", guide.here).href;
    const depth = document.baseURI.slice(root.length).split(/[?#]/)[0].split("/").length - 1;
    const site = new URL("../".repeat(depth) || "./", page()).href;
    const query = new URLSearchParams({ page: page().slice(site.length), ...asked(part), ...(dark && { scheme: "dark" }) });
    const quoted = label.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
    const size = (width, height) => `width="${Math.round(width)}" height="${Math.round(height)}"`;
    const frame = `<iframe src="${site}embed/?${query}" title="${quoted}" ${size(...room(part))} style="border:0;max-width:100%" loading="lazy"></iframe>`;
    const images = pictures.map(
      (one) => `<a href="${source(part)}"><img src="${one.address(dark)}" alt="${quoted}" ${size(one.width, one.height)}></a>`
    );
    return [frame, ...images].join("\n\n");
  }

  function fill(menu, part) {
    const chart = part.matches("figure");
    const label = () => (chart ? part.querySelector(".fg-title").textContent : called(part));
    const shown = Object.assign(document.createElement("pre"), { className: "fg-citation", tabIndex: 0, hidden: true });
    const line = document.createElement("p"), box = Object.assign(document.createElement("input"), { type: "checkbox" });
    const dark = () => box.checked;
    const button = (label, act) => {
      const element = Object.assign(document.createElement("button"), { type: "button", textContent: label });
      element.addEventListener("click", act);
      line.append(element);
    };
    let told = null;
    const tell = (what) => {
      told = what;
      shown.hidden = !what;
      shown.textContent = what ? what() : "";
    };
    const toggle = (what) => () => tell(told === what ? null : what);
    const place = new URL(document.baseURI).pathname.replace(/index\.html$/, "").split("/").filter(Boolean).pop() || "home";
    const name = async (what) => {
      const { measure } = chart ? (await guide.seen(part)).rows[0] : {};
      return [place, measure, what].filter(Boolean).join("-");
    };

    const table = part.querySelector("details.fg-table");
    if (table) {
      button("Table", () => { table.open = !table.open; });
      const opener = line.lastChild, say = () => opener.setAttribute("aria-expanded", table.open);
      table.addEventListener("toggle", say);
      say();
    }
    button("Cite", toggle(() => citation(part, label())));
    button("CSV", async () => {
      const [heads, ...rows] = await numbers(part);
      const whole = [[...heads, "source", "version"], ...rows.map((row) => [...row, source(part), cited.version])];
      text((await name(source(part).split("#")[1])) + ".csv", "text/csv", csv(whole));
    });
    button("Embed", toggle(() => embedding(part, menu.label, menu.pictures, dark())));
    const slots = [...part.querySelectorAll(".fg-chart")];
    for (const slot of slots) {
      const kind = slot.dataset.kind, suffix = slots.length > 1 ? " (" + kind + ")" : "";
      button("Vega-Lite" + suffix, async () =>
        text((await name(kind)) + ".vl.json", "application/json", await guide.vegaLite(part, slot, dark()))
      );
      for (const format of ["svg", "png"]) {
        button(format.toUpperCase() + suffix, async () => save((await name(kind)) + "." + format, await guide.picture(part, slot, format, dark())));
      }
    }
    const choice = document.createElement("label");
    choice.append(box, " in dark colours");
    box.addEventListener("change", () => tell(told));
    line.append(choice);
    menu.append(line, shown);
  }

  function mount() {
    for (const part of [...document.querySelectorAll(".fg-figure"), ...tables()]) {
      if ("menu" in part.dataset) continue;
      const chart = part.matches("figure");
      part.dataset.menu = "";
      const menu = Object.assign(document.createElement("details"), { className: "fg-menu" });
      const table = part.querySelector("details.fg-table > summary");
      if (table) table.hidden = true;
      const told = (table ? "Table, cite" : "Cite") + ", download, embed";
      menu.append(Object.assign(document.createElement("summary"), { textContent: told }));
      menu.pictures = chart ? published(part) : [];
      menu.label = chart ? part.querySelector(".fg-title").textContent : called(part); // of the view that other sites show
      menu.addEventListener("toggle", () => fill(menu, part), { once: true });
      if (chart) part.querySelector(".fg-charts").after(menu);
      else {
        const around = part.closest(".fg-scroll, .md-typeset__scrollwrap"); // of the theme, for what has no class
        (around || part).after(menu);
        if (around && !around.hasAttribute("tabindex")) {
          around.tabIndex = 0;
          around.setAttribute("role", "region");
          around.setAttribute("aria-label", menu.label);
        }
      }
    }
  }

  function start() {
    mount();
    if (window.document$) window.document$.subscribe(mount);
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
