/* What is shown, for elsewhere. As a file that stands without a page, a picture has what styles say of it written into it. */
const STYLES = ["fill", "stroke", "stroke-width", "stroke-linecap", "opacity", "text-anchor", "font-family", "font-size", "font-weight", "paint-order"];

function standing(picture) {
  const copy = picture.cloneNode(true), from = [picture, ...picture.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((one, at) => {
    const style = getComputedStyle(from[at]);
    for (const name of STYLES) one.style.setProperty(name, style.getPropertyValue(name));
  });
  copy.removeAttribute("marker-end");
  return new XMLSerializer().serializeToString(copy);
}

/* The same as a PNG of twice the size. */
async function raster(picture) {
  const image = new Image(), [width, height] = ["width", "height"].map((one) => 2 * Number(picture.getAttribute(one)));
  image.src = "data:image/svg+xml," + encodeURIComponent(standing(picture));
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  return new Promise((done) => canvas.toBlob(done));
}

function save(name, blob) {
  const link = Object.assign(document.createElement("a"), { download: name, href: URL.createObjectURL(blob) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/* Buttons for what is shown: its link, a frame for other sites, and files, each by its name and what saves it. */
function copying(block, files = {}) {
  const frame = element("pre", { className: "fg-citation", tabIndex: 0, hidden: true });
  const acts = {
    async "Copy link"() {
      try {
        await navigator.clipboard.writeText(location.href);
        block.tell("The link is copied.");
      } catch {
        block.tell("The browser lets nothing be copied here; the address of this page is the link.");
      }
    },
    Embed() {
      frame.textContent = block.frame;
      frame.hidden = !frame.hidden;
    },
    ...files,
  };
  const buttons = Object.entries(acts).map(([text, act]) => button(text, text, act));
  return element("div", {}, element("p", { className: "fg-note" }, ...buttons.flatMap((one) => [one, " "])), frame);
}
