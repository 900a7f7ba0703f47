/* Writes a number as `in_column` in generator/numbers/writing.py does; a test compares the two. */
(function () {
  "use strict";

  const ALONE = 3, SMALL = 1e-7;

  /* As toFixed writes it, but a number halfway between two goes to the even one, as in Python. */
  function fixed(value, decimals) {
    const exact = value.toFixed(100), cut = exact.slice(0, exact.length - 100 + decimals);
    const halfway = /^50*$/.test(exact.slice(exact.length - 100 + decimals)) && /[02468]\.?$/.test(cut);
    return halfway ? cut.replace(/\.$/, "") : value.toFixed(decimals);
  }

  function digits(value, decimals, size) {
    if (Math.abs(value) < SMALL) {
      const [text, exponent] = value.toExponential(Math.max(decimals + size, 0)).split("e");
      return text + "e" + exponent;
    }
    const [whole, ...part] = fixed(value, decimals).split(".");
    return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...part].join(".");
  }

  /* `against` are numbers that it is compared with: it never reads as lying on another side of one. */
  window.fieldguideWrite = function (value, against) {
    if (isNaN(value)) return "-";
    if (value === 0) return "0";
    const size = Number(value.toExponential().split("e")[1]), side = (one, bound) => (one > bound) - (one < bound);
    for (let decimals = Math.max(ALONE - 1 - size, 0); ; decimals++) {
      const text = digits(value, decimals, size), read = Number(text.replaceAll(",", ""));
      if (against.every((bound) => side(read, bound) === side(value, bound))) return text;
    }
  };
})();
