/* Filters the list of claims and its matrix by source, verdict and model, and keeps the choice in the address.

   The page itself names this script, so that it runs on arrival, with instant navigation too. Verdicts are read from
   the marks of the list: its third column is the first model. The matrix follows by the addresses of the claims. */
(function () {
  "use strict";

  const BEFORE = 2; // columns of the list before the first model
  const claim = (row) => row.querySelector("a[href]").getAttribute("href");

  function mount(part) {
    const table = document.getElementById(part.dataset.table), body = table.tBodies[0];
    const found = part.querySelector(".fg-found");
    const select = {};
    for (const one of part.querySelectorAll("select")) select[one.name] = one;
    const models = select.model.options.length - 1;
    const verdicts = [...select.verdict.options].map((option) => option.textContent);
    const rows = [...body.rows];
    const matrix = [...document.querySelectorAll(".fg-matrix table")];

    function said(row, at) {
      const all = [...row.cells].slice(BEFORE, BEFORE + models);
      return (at < 0 ? all : [all[at]]).map((cell) => cell.querySelector(".fg-verdict").textContent);
    }

    /* Hides the columns of all models but the chosen one. */
    function columns(one, before, at) {
      for (const row of one.rows) {
        for (let model = 0; model < models; model++) {
          row.cells[before + model].classList.toggle("fg-out", at >= 0 && model !== at);
        }
      }
    }

    function show() {
      const at = select.model.selectedIndex - 1;
      const source = select.source.value && select.source.selectedOptions[0].textContent;
      const verdict = select.verdict.value && select.verdict.selectedOptions[0].textContent;
      const shown = new Set();
      for (const row of rows) {
        const fits = row.cells[1].textContent.startsWith(source) && (!verdict || said(row, at).includes(verdict));
        row.classList.toggle("fg-out", !fits);
        if (fits) shown.add(claim(row));
      }
      const rank = (row) => verdicts.indexOf(said(row, Math.max(at, 0))[0]);
      const sorted = select.order.value ? [...rows].sort((a, b) => rank(a) - rank(b)) : rows;
      if (sorted.some((row, at) => row !== body.rows[at])) body.append(...sorted); // else nothing is laid out again
      columns(table, BEFORE, at);
      for (const one of matrix) {
        for (const row of one.tBodies[0].rows) row.classList.toggle("fg-out", !shown.has(claim(row)));
        columns(one, 1, at);
        const empty = [...one.tBodies[0].rows].every((row) => row.classList.contains("fg-out"));
        one.closest(".fg-matrix > div").classList.toggle("fg-out", empty);
      }
      found.textContent = shown.size + " of " + rows.length + " claims";
    }

    function keep() {
      const asked = new URLSearchParams(location.search);
      for (const one of Object.values(select)) {
        if (one.value) asked.set(one.name, one.value);
        else asked.delete(one.name);
      }
      const query = asked.toString();
      history.replaceState(history.state, "", location.pathname + (query && "?" + query) + location.hash);
    }

    const asked = new URLSearchParams(location.search);
    for (const one of Object.values(select)) {
      if ([...one.options].some((option) => option.value === asked.get(one.name))) one.value = asked.get(one.name);
      one.addEventListener("change", () => {
        show();
        keep();
      });
    }
    part.hidden = false;
    part.dataset.ready = "";
    show();
  }

  document.querySelectorAll(".fg-filters:not([data-ready])").forEach(mount);
})();
