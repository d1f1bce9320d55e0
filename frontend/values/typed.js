// Numbers as people type them: 1e-3, 2/3, √2, pi/2, -π, 3², full-width digits; read by the usual rules of arithmetic.
//
//     sum = product (("+" | "-") product)*      product = signed (("*" | "/" | nothing) signed)*
//     signed = "-" signed | power               power = atom ("^" signed | "²")*
//     atom = number | pi | e | "(" sum ")" | ("√" | "∛") atom
//
// As in the formulas, a product without a sign binds like "*", from the left: 1/2π is (1/2)·π.

const TOKEN = /(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|pi|π|e|sqrt|√|cbrt|∛|[-+*/^()]|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+/giy;
const SPACES = /[\s\u200b\ufeff]+/g;
const SIGNS = new Map(Object.entries({ "−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "÷": "/", "∕": "/", "⁄": "/" }));
const CONSTANTS = new Map([
  ["pi", Math.PI],
  ["π", Math.PI],
  ["e", Math.E],
]);
const ROOTS = new Map([
  ["sqrt", Math.sqrt],
  ["√", Math.sqrt],
  ["cbrt", Math.cbrt],
  ["∛", Math.cbrt],
]);
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const LONGEST = 100; // characters

/** One spelling for each sign, full-width characters among them. @param {string} text */
const plain = (text) =>
  Array.from(text.trim(), (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xff00 && code < 0xff5f ? String.fromCharCode(code - 0xfee0) : (SIGNS.get(character) ?? character);
  }).join("");

/** @param {string} text @returns {string[] | null} */
function tokensIn(text) {
  /** @type {string[]} */
  const tokens = [];
  for (const part of plain(text).split(SPACES)) {
    const found = part.match(TOKEN) ?? [];
    if (found.join("") !== part) return null;
    tokens.push(...found.map((token) => token.toLowerCase()));
  }
  return tokens;
}

/** "⁻²" is −2. @param {string} token */
const raised = (token) => Number(Array.from(token, (digit) => (digit === "⁻" ? "-" : RAISED.indexOf(digit))).join(""));

class Reader {
  /** @param {string[]} tokens */
  constructor(tokens) {
    this.tokens = tokens;
    this.at = 0;
  }

  get next() {
    return this.tokens[this.at] ?? "";
  }

  /** @param {string} token @returns {boolean} whether it was next, and is taken */
  take(token) {
    if (this.next !== token) return false;
    this.at += 1;
    return true;
  }

  /** @returns {number} NaN of what cannot be read */
  sum() {
    let total = this.product();
    for (;;) {
      if (this.take("+")) total += this.product();
      else if (this.take("-")) total -= this.product();
      else return total;
    }
  }

  /** @returns {number} */
  product() {
    let total = this.signed();
    for (;;) {
      if (this.take("*")) total *= this.signed();
      else if (this.take("/")) total /= this.signed();
      else if (/^(pi|π|e|sqrt|√|cbrt|∛|\()$/.test(this.next)) total *= this.power();
      else return total;
    }
  }

  /** @returns {number} */
  signed() {
    if (this.take("-")) return -this.signed();
    return this.take("+") ? this.signed() : this.power();
  }

  /** @returns {number} */
  power() {
    const base = this.atom();
    if (this.take("^")) return base ** this.signed();
    return /^[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]/.test(this.next) ? base ** raised(this.tokens[this.at++]) : base;
  }

  /** @returns {number} */
  atom() {
    const token = this.next;
    this.at += 1;
    if (token === "(") {
      const inner = this.sum();
      return this.take(")") ? inner : NaN;
    }
    const root = ROOTS.get(token);
    return root ? root(this.atom()) : (CONSTANTS.get(token) ?? (/^[\d.]/.test(token) ? Number(token) : NaN));
  }
}

/**
 * The number that a person typed; null of anything else, and of what is not finite.
 * @param {string} text @returns {number | null}
 */
export function typedNumber(text) {
  const tokens = text.length <= LONGEST ? tokensIn(text) : null;
  if (!tokens) return null;
  const reader = new Reader(tokens);
  const value = reader.sum();
  return reader.at === tokens.length && Number.isFinite(value) ? value : null;
}
