/* Shows one figure of a page of this site, in a frame on a page of another: embed/?page=claims/c14/&figure=evidence.

   Without a name it shows the first; `scheme=dark` makes it dark. The figure is that of the page, and works as it does there. */
(async function () {
  "use strict";

  const asked = new URLSearchParams(location.search), here = document.currentScript.src.replace(/[^/]*$/, "");
  const root = new URL("../", location.href.replace(/[?#].*/, "")).href, page = new URL(asked.get("page") || "", root);
  if (!page.href.startsWith(root)) return;
  if (asked.get("scheme") === "dark") document.body.dataset.mdColorScheme = "slate";

  const answer = await fetch(page);
  const given = new DOMParser().parseFromString(await answer.text(), "text/html");
  const figure = asked.get("figure") ? given.getElementById(asked.get("figure")) : given.querySelector(".fg-figure");
  if (!answer.ok || !figure || !figure.matches(".fg-figure")) return;

  const link = Object.assign(document.createElement("a"), { href: page.href, textContent: given.title });
  for (const one of document.querySelectorAll("link")) one.setAttribute("href", one.href); // before the base moves them
  document.head.append(Object.assign(document.createElement("base"), { href: page.href, target: "_blank" }));
  document.head.append(given.querySelector("link[rel=canonical]") || Object.assign(document.createElement("link"), { rel: "canonical", href: page.href }));
  document.title = given.title;
  document.querySelector("main").replaceChildren(document.adoptNode(figure), link);
  for (const name of ["fieldguide.js", "menus.js"]) {
    document.body.append(Object.assign(document.createElement("script"), { src: here + name, async: false }));
  }
})();
