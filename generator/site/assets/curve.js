/* Moves the heads of a model along its checkpoints: a slider chooses the step, a list the measure, and the grid is
   drawn again. The numbers are in the script beside the page, which is fetched when a reader first chooses; colours are
   CSS variables of the scheme.

   The page itself names this script, so that it runs on arrival, with instant navigation too. */
(function () {
  "use strict";

  function mount(part) {
    const find = (name) => part.querySelector(".fg-curve-" + name);
    const slider = find("step"), shown = find("shown"), select = find("measure");
    const cells = [...part.querySelectorAll(".fg-cell")];

    async function draw() {
      const { heads: data } = await window.fieldguide.data(part);
      const at = Number(slider.value), measure = data.measures[select.selectedIndex], texts = measure.values.split(" ");
      const step = "step " + data.steps[at].toLocaleString("en-US");
      shown.textContent = step;
      slider.setAttribute("aria-valuetext", step);
      find("top").textContent = measure.top;
      find("told").textContent = measure.told;
      find("definition").setAttribute("href", select.selectedOptions[0].dataset.href);
      cells.forEach((cell, which) => {
        const text = texts[at * cells.length + which], known = !isNaN(text);
        const name = Math.floor(which / data.heads) + 1 + "-" + ((which % data.heads) + 1);
        const told = name + ": " + text;
        cell.title = told;
        cell.setAttribute("aria-label", "Head " + told);
        cell.classList.toggle("fg-unknown", !known);
        cell.style.setProperty("--v", known ? ((100 * text) / (Number(measure.top) || 1)).toFixed(1) : 0);
      });
    }

    slider.addEventListener("input", draw);
    select.addEventListener("change", draw);
    part.querySelectorAll("[hidden]").forEach((control) => (control.hidden = false));
    part.dataset.ready = "";
    if (slider.value !== slider.defaultValue || select.selectedIndex) draw(); // as a browser restores them
  }

  document.querySelectorAll(".fg-curve:not([data-ready])").forEach(mount);
})();
