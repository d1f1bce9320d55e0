"""What the benchmark of pages runs inside a page, as JavaScript."""

from __future__ import annotations

# Notes when the number of nodes in the picture last changed, shadow roots included, and the long tasks. Every
# page is looked at in the same way, ours too: at each frame, and the clock stops once the frame that has the
# nodes is on its way to the screen, whatever the page does afterwards.
WATCH = """(() => {
  const { eval: kept } = window; // Netron takes it away, and it is what reads `seen`
  Object.defineProperty(window, "eval", { get: () => kept, set() {} });
  const seen = window.seen = { count: 0, at: 0, block: 0, since: 0, isAtRest: false };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      if (startTime >= seen.since) seen.block = Math.max(seen.block, duration);
    }
  }).observe({ type: "longtask", buffered: true });
  const count = (root) => {
    let found = root.querySelectorAll("g.node, gl-graph [data-key]").length;
    for (const each of root.querySelectorAll("*")) if (each.shadowRoot) found += count(each.shadowRoot);
    return found;
  };
  const look = () => {
    if (!seen.isAtRest) requestAnimationFrame(look);
    const hidden = document.body?.classList.contains("welcome"); // Netron builds its picture behind a title
    const now = hidden ? 0 : count(document);
    if (now === seen.count) return;
    seen.count = now;
    setTimeout(() => Object.assign(seen, { at: performance.now() }));
  };
  requestAnimationFrame(look);
})()"""
# When the graph had arrived from the server: ours, TensorBoard's or Netron's.
ANSWERED = """() => Math.max(0, ...performance.getEntriesByType("resource")
  .filter(({ name }) => /\\/api\\/v1\\/programs$|\\/plugin\\/graphs\\/graph\\b|\\/data\\/.*\\.pb/.test(name))
  .map(({ responseEnd }) => responseEnd))"""
# A promise of how many milliseconds an act takes until the page has shown the next picture; null where it
# never does. The page shows that in an attribute, which is written even where as many nodes are drawn.
_UNTIL_SHOWN = """(act) => new Promise((resolve) => {
  const start = performance.now();
  const watcher = new MutationObserver(() => {
    watcher.disconnect();
    resolve(performance.now() - start);
  });
  watcher.observe(document.documentElement, { attributeFilter: ["data-graph-drawn"] });
  act();
  setTimeout(() => resolve(null), 60000);
})"""
# The text comes in a task of its own, which is the benchmark's and no block of the page's.
HAND_OVER = """(text) => {
  window.handed = new DataTransfer();
  window.handed.items.add(new File([text], "graph.json"));
}"""
# The same of a file's bytes.
HAND_OVER_BYTES = """(text) => {
  window.handed = new DataTransfer();
  window.handed.items.add(new File([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], "graph.pb"));
}"""
DROP = f"""() => {{
  const data = window.handed;
  Object.assign(window.seen, {{ block: 0, since: performance.now() }});
  const drop = () => dispatchEvent(new DragEvent("drop", {{ dataTransfer: data, cancelable: true }}));
  return ({_UNTIL_SHOWN})(() => setTimeout(drop));
}}"""
# The keys of the closed scopes in the picture.
CLOSED = """() => Array.from(
  document.querySelectorAll('.graph-view .item[aria-expanded="false"]'), (scope) => scope.dataset.key)"""
# Opens or closes a scope.
TOGGLE = f"""(key) => {{
  const scope = document.querySelector(`.graph-view .item[data-key="${{CSS.escape(key)}}"]`);
  scope.focus();
  const enter = new KeyboardEvent("keydown", {{ key: "Enter", bubbles: true, cancelable: true }});
  return ({_UNTIL_SHOWN})(() => scope.dispatchEvent(enter));
}}"""
# Opens all scopes.
OPEN_ALL = f"""(choice) => {{
  const buttons = [...document.querySelectorAll("#graph-menu button")];
  const button = buttons.find(({{ textContent }}) => textContent === choice);
  return ({_UNTIL_SHOWN})(() => button.click());
}}"""
FRAMES = """(lasting) => new Promise((resolve) => {
  let frames = 0;
  const start = performance.now();
  const next = (now) => {
    frames += 1;
    if (now - start < lasting) requestAnimationFrame(next);
    else resolve(frames / (now - start) * 1000);
  };
  requestAnimationFrame(next);
})"""
