/* Takes a question to the finder: pages may send no form. The page itself names this script, so that it runs on arrival. */
for (const form of document.querySelectorAll(".fg-ask")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const there = new URL(form.action), asked = form.elements.where.value.trim();
    if (there.protocol === "file:") there.pathname += "index.html";
    if (asked) there.searchParams.set("where", asked);
    location.assign(there.href);
  });
}
