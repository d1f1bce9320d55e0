// Making SVG elements.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with attributes and children. Text goes in as text, never as markup.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {ReadonlyArray<Node>} [children]
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, children = []) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * A `<text>` or `<title>` with its content.
 * @template {"text" | "title"} K
 * @param {K} tag @param {string} content @param {Record<string, string | number>} [attributes]
 */
export function svgText(tag, content, attributes = {}) {
  const element = svg(tag, attributes);
  element.textContent = content;
  return element;
}
