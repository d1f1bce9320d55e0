// Where the page's files lie.

/** The address of a file of the page, under the page's version. @param {string} path from the page's folder */
export const beside = (path) => new URL(`../${path}`, import.meta.url).href;
