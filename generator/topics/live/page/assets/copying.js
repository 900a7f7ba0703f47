/* A sentence with its arcs as a file that stands without a page: what styles say of it is written into it. */
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
