// Whether the page stands in a frame of another one ("/embed", as the server says in its root element): then it shows what
// its address holds, can be stepped through, and keeps nothing.

export const isEmbedded = globalThis.document?.documentElement.hasAttribute("data-embed") ?? false;
