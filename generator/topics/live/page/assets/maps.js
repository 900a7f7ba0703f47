/* A head's map drawn small, as generator/topics/layers/page/patterns/maps.py writes it into pages; a test compares both. */
const SHADES = [0.05, 0.15, 0.3, 0.5, 0.75], OPACITY = ["0.12", "0.3", "0.5", "0.75", "1"];

function smallMap(weights, size, label) {
  const paths = OPACITY.map(() => "");
  for (let row = 0; row < size; row++) {
    for (let start = 0, end; start < size; start = end) {
      const step = shade(weights[row * size + start]);
      for (end = start + 1; end < size && shade(weights[row * size + end]) === step; ) end++;
      if (step) paths[step - 1] += `M${start} ${row}h${end - start}v1h${start - end}z`;
    }
  }
  const drawn = paths.flatMap((d, step) => (d ? [svg("path", { opacity: OPACITY[step], d })] : []));
  return svg("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label }, ...drawn);
}

const shade = (weight) => SHADES.filter((one) => weight >= one).length;
