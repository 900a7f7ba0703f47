/* Characters that control the direction of writing or a terminal, made visible, as generator/visible.py does. */
const ACTING = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;

const visible = (text) => text.replace(ACTING, (sign) => "\\u" + sign.charCodeAt(0).toString(16).padStart(4, "0"));
