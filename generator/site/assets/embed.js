/* Shows one figure or table of a page of this site, in a frame on a page of another:
   embed/?page=claims/c14/&figure=evidence, or embed/?page=claims/c14/&table=measured for the first table at that anchor or
   after it; `at=2` is the second. Without a name it shows the first figure; `scheme=dark` makes it dark. What is shown is that
   of the page, and works as it does there. */
(async function () {
  "use strict";

  const TABLES = ".fg-scroll > table, .fg-matrix, article table:not([class])"; // as in menus.js
  const asked = new URLSearchParams(location.search), here = document.currentScript.src.replace(/[^/]*$/, "");
  const root = new URL("../", location.href.replace(/[?#].*/, "")).href, page = new URL(asked.get("page") || "", root);
  if (!page.href.startsWith(root)) return;
  if (asked.get("scheme") === "dark") document.body.dataset.mdColorScheme = "slate";

  const make = (kind, given) => Object.assign(document.createElement(kind), given);
  const before = (one, other) => one === other || one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;

  function figure(given) {
    const found = asked.get("figure") ? given.getElementById(asked.get("figure")) : given.querySelector(".fg-figure");
    return found?.matches(".fg-figure, [data-script]") ? [found, found] : []; // what a script of its own brings to life
  }

  /* A table, and what is shown of it: what it is called, it alone, and for a matrix the legend above it. */
  function table(given) {
    const place = given.getElementById(asked.get("table")), at = asked.get("at") || 1;
    const alone = (one) => !one.parentElement.closest("figure, .fg-matrix");
    const found = place && [...given.querySelectorAll(TABLES)].filter((one) => alone(one) && before(place, one))[at - 1];
    if (!found) return [];
    const heading = [...given.querySelectorAll("article :is(h1, h2, h3)")].filter((one) => before(one, found)).pop();
    heading?.querySelectorAll(".headerlink").forEach((one) => one.remove());
    const label = (one) => one.getAttribute("aria-label");
    const title = label(found) || label(found.parentElement) || heading?.textContent.trim() || "table";
    found.setAttribute("aria-label", title);
    found.id = place.id;
    found.dataset.at = at; // for menus.js
    const shown = [make("p", { className: "fg-title", textContent: title })];
    if (found.matches(".fg-matrix")) return [found, ...shown, found.previousElementSibling, found];
    const region = found.closest(".fg-scroll") || make("div", { className: "fg-scroll" });
    if (!found.className) {
      region.append(found);
      found.className = "fg-data-table"; // of a hand-written page, which the theme dresses
    }
    return [found, ...shown, region];
  }

  const answer = await fetch(page);
  const given = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [part, ...shown] = asked.has("table") ? table(given) : figure(given);
  if (!answer.ok || !part) return;

  const source = document.createElement("p"), link = make("a", { href: page.href + "#" + part.id, textContent: given.title });
  source.append(link, ", version " + "VERSION");
  for (const one of document.querySelectorAll("link")) one.setAttribute("href", one.href); // before the base moves them
  document.head.append(make("base", { href: page.href, target: "_blank" }));
  document.head.append(given.querySelector("link[rel=canonical]") || make("link", { rel: "canonical", href: page.href }));
  document.title = given.title;
  document.querySelector("main").replaceChildren(...shown, source);
  const own = part.dataset.script ? [part.dataset.script] : [];
  for (const src of [here + "fieldguide.js", here + "menus.js", ...own]) {
    document.body.append(make("script", { src, async: false }));
  }
})();
