// A value as the part of an address after the "#": JSON, compressed, in letters that an address may hold.

const PREFIX = "#v1=";
export const LONGEST = 100_000; // characters of an address; longer ones are not read

/** A value as JSON, sets and maps as lists. @param {unknown} value */
export const jsonOf = (value) =>
  JSON.stringify(value, (_, each) => (each instanceof Set || each instanceof Map ? [...each] : each));

/** A query as it stands in an address. @param {URLSearchParams} query */
export const queryText = (query) => (String(query) ? `?${query}` : "");

/** @param {unknown} value sets and maps as lists @returns {Promise<string>} "#v1=…" */
export async function toFragment(value) {
  const bytes = await through(new TextEncoder().encode(jsonOf(value)), new CompressionStream("deflate-raw"));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return PREFIX + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** What an address holds, of whatever kind; null where it holds nothing, or nothing whole. @param {string} hash @returns {Promise<any>} */
export async function fromFragment(hash) {
  if (!hash.startsWith(PREFIX) || hash.length > LONGEST) return null;
  try {
    const letters = atob(hash.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(
      Uint8Array.from(letters, (letter) => letter.charCodeAt(0)),
      new DecompressionStream("deflate-raw"),
    );
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

/** @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} change */
async function through(bytes, change) {
  const stream = new Blob([bytes]).stream().pipeThrough(change);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
