/* eslint-disable no-console -- it is listened to */
// Notes errors and warnings of the page, for a browser that does not hand on its console. Asked for with every question to
// the page, so that it is there soon after the document.

export default () => {
  if (window.troubles) return;
  window.troubles = [];
  const note = (...words) => window.troubles.push(words.map(String).join(" "));
  const isLater = (text) => /^ResizeObserver loop/.test(text); // what was measured late is drawn in the next frame
  const failed = ({ message, target }) => isLater(message) || note(message ?? `${target.src ?? target.href} does not load`);
  addEventListener("error", failed, true);
  addEventListener("unhandledrejection", ({ reason }) => note("unhandled", reason, reason?.stack ?? ""));
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    note(violatedDirective, blockedURI),
  );
  for (const kind of ["error", "warn"]) {
    const write = console[kind];
    console[kind] = (...words) => (note(...words), write.apply(console, words));
  }
  const ask = window.fetch;
  window.fetch = async (...question) => {
    const answer = await ask(...question).catch((error) => {
      if (error.name !== "AbortError" && !question[1]?.signal?.aborted) note(question[0]?.url ?? question[0], error);
      throw error;
    });
    const { status, url } = answer;
    const isShown = [409, 422, 503].includes(status) || url.includes("/api/v1/classes/"); // as an answer; that a class is over
    if (status >= 400 && !isShown) note(url, status);
    return answer;
  };
};
