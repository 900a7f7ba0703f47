/* Stands before the theme's own script. What is pasted, dictated or filled in is searched for: the theme listens to keys
   alone. */
document.addEventListener("input", ({ target }) => {
  if (target.matches && target.matches(".md-search__input")) target.dispatchEvent(new Event("keyup"));
});
