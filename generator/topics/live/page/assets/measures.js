/* A head's numbers on a sentence, as generator/measures defines them. `classes` has for each token the measure that counts
   what it gets, if one does. */
const AT = { "attention.previous": -1, "attention.self": 0, "attention.next": 1 }, PEAK = "attention.max";

/* How far from its query a key is that a measure counts; undefined if it counts classes. */
function distance(measure) {
  return measure.startsWith("offset.") ? Number(measure.slice("offset.".length)) : AT[measure];
}

/* Whether a measure counts the weight from one place to another. */
function counts(measure, classes, query, key) {
  const away = distance(measure);
  return away === undefined ? classes[key] === measure : key - query === away;
}

/* Mean over tokens of what a measure counts in a map [query, key], or of the largest weight. */
function share(measure, classes, map) {
  const size = classes.length, away = distance(measure);
  let sum = 0;
  if (measure === PEAK) {
    for (let query = 0; query < size; query++) {
      let most = 0;
      for (let key = 0; key < size; key++) most = Math.max(most, map[query * size + key]);
      sum += most;
    }
    return sum / size;
  }
  for (let key = 0; key < size; key++) {
    if (away !== undefined) sum += key - away >= 0 && key - away < size ? map[(key - away) * size + key] : 0;
    else if (classes[key] === measure) for (let query = 0; query < size; query++) sum += map[query * size + key];
  }
  return sum / size;
}
