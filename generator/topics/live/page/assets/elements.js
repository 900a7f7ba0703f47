/* What the views are made of. */
const element = (name, given = {}, ...inside) => {
  const made = Object.assign(document.createElement(name), given);
  made.append(...inside);
  return made;
};

/* A button; by its key it has the focus again when what is shown is made anew. */
function button(text, key, act, given = {}) {
  const made = element("button", { type: "button", className: "fg-more", textContent: text, ...given });
  made.dataset.key = key;
  made.addEventListener("click", act);
  return made;
}
