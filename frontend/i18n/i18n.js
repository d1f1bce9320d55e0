// Words for the page: `t(key, params)` over one flat catalogue per language.
//
// `{name}` in a text is replaced by params.name. A text that depends on a number has one entry per
// plural form, `key.one` and `key.other`, chosen by params.count.

/** @typedef {"en" | "zh-CN"} Language */
/** @typedef {Readonly<Record<string, string>>} Catalogue */
/** @typedef {(key: string, params?: Record<string, string | number>) => string} Translate */

export const LANGUAGES = /** @type {const} */ (["en", "zh-CN"]);

/** The first language of the page: what was chosen before, else what the browser asks for. @param {string | null} kept @param {readonly string[]} wanted @returns {Language} */
export function firstLanguage(kept, wanted) {
  const known = LANGUAGES.find((language) => language === kept);
  if (known) return known;
  return wanted[0]?.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
}

/** The language that an address asks for with "?lang=zh". @param {string} query */
export function languageIn(query) {
  const asked = new URLSearchParams(query).get("lang")?.toLowerCase().slice(0, 2);
  return LANGUAGES.find((language) => language.slice(0, 2) === asked) ?? null;
}

/** @param {Catalogue} catalogue @param {Language} language @param {(value: number) => string} [number] as text @returns {Translate} */
export function translator(catalogue, language, number = String) {
  const plurals = new Intl.PluralRules(language);
  return (key, params = {}) => {
    const count = params.count;
    const text =
      catalogue[key] ??
      (typeof count === "number" ? catalogue[`${key}.${plurals.select(count)}`] : undefined) ??
      catalogue[`${key}.other`] ??
      key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => {
      const value = params[name] ?? whole;
      return typeof value === "number" ? number(value) : value;
    });
  };
}

/**
 * One of two texts that stand side by side in an answer of the server.
 * @param {Language} language @param {string | null | undefined} english @param {string | null | undefined} chinese
 */
export const inLanguage = (language, english, chinese) => (language === "zh-CN" ? (chinese ?? english) : english) ?? "";
