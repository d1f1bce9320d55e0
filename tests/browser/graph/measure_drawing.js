// What is wrong with the picture on screen, measured on its elements: a function that the tests run in the page.
() => {
  const LEAST_TEXT = 8.95; // px on screen
  const WORD_SPACE = 4; // px on screen, at least between two labels
  const plane = document.querySelector(".graph-view .plane");
  const stage = document.querySelector(".graph-stage");
  const root = document.documentElement;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const keyOf = (element) => element.closest("[data-key]").dataset.key;
  const byKey = (key) => document.querySelector(`.graph-view [data-key="${CSS.escape(key)}"]`);
  const holds = (a, b) => a.left <= b.left && b.right <= a.right && a.top <= b.top && b.bottom <= a.bottom;
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

  /** From a point to a box, 0 within it. */
  function distance({ x, y }, { left, top, right, bottom }) {
    return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
  }

  function boxOf(element, inset = 1) {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left: left + inset, top: top + inset, right: right - inset, bottom: bottom - inset };
  }

  return { faults, jumps, places };

  function faults() {
    return [...overlapping(), ...unreadable(), ...crowded(), ...crossed(), ...strayed(), ...covered()];
  }

  /** Ops, closed scopes, tags, constants and the signs of scopes lie beside one another. */
  function overlapping() {
    const bodies = plane.querySelectorAll(".item:not(.open) > .body, .constant > rect");
    const shapes = [...bodies].map((element) => ({ element, box: boxOf(element) }));
    const signs = [...plane.querySelectorAll(".toggle .knob")].map((element) => ({ element, box: boxOf(element) }));
    const others = [...shapes, ...signs];
    return others.flatMap((a, i) =>
      others
        .slice(i + 1)
        .filter(
          (b) => keyOf(a.element) !== keyOf(b.element) || (a.element.closest(".constant") && b.element.closest(".constant")),
        )
        .filter((b) => meet(a.box, b.box))
        .map((b) => `${keyOf(a.element)} overlaps ${keyOf(b.element)}`),
    );
  }

  /** Texts are large enough, within their shapes, and told whole where they are cut. */
  function unreadable() {
    const scale = plane.getScreenCTM().a;
    return texts().flatMap((text) => {
      const found = [];
      const height = parseFloat(getComputedStyle(text).fontSize) * scale;
      if (height < LEAST_TEXT) found.push(`${text.textContent} is ${height.toFixed(1)} px high`);
      const body = text.parentElement.matches(".item:not(.open)") && text.parentElement.querySelector(".body");
      if (body && text.getBoundingClientRect().width > body.getBoundingClientRect().width)
        found.push(`${text.textContent} is broader than its shape`);
      const title = text.closest("g").querySelector("title")?.textContent ?? "";
      if (text.textContent.includes("…") && title === "") found.push(`${text.textContent} is cut, and not told whole`);
      return found;
    });
  }

  /** Labels of lines stand a word apart from one another and from names, and on no border of a scope. */
  function crowded() {
    const labels = [...plane.querySelectorAll(".shape-label")].map((text) => ({ text, box: boxOf(text) }));
    const frames = [...plane.querySelectorAll(".item.open > .body, .band > .body")].map((body) => ({
      body,
      box: boxOf(body, 0),
    }));
    return labels.flatMap(({ text, box }, i) => {
      const room = { ...box, left: box.left - WORD_SPACE, right: box.right + WORD_SPACE };
      const close = [...labels.slice(i + 1), ...names()].filter((other) => meet(room, other.box));
      const on = frames.filter((frame) => meet(box, frame.box) && !holds(frame.box, box));
      return [
        ...close.map((other) => `${text.textContent} stands in ${other.text.textContent}`),
        ...on.map(({ body }) => `${text.textContent} stands on the border of ${keyOf(body)}`),
      ];
    });
  }

  /** The names of ops and scopes, and the values of constants. */
  function names() {
    return texts()
      .filter((text) => text.matches(".label, .constant > text"))
      .map((text) => ({ text, box: boxOf(text) }));
  }

  /** No line runs through a name, the title of a scope or another line's label. */
  function crossed() {
    const captions = texts()
      .filter((text) => !text.matches(".value"))
      .map((text) => ({ text, box: boxOf(text, 2) }));
    return [...plane.querySelectorAll(".edge .line")].flatMap((line) => {
      const matrix = line.getScreenCTM();
      const reach = boxOf(line, -1);
      const near = captions.filter(({ box }) => meet(reach, box));
      const length = near.length > 0 ? line.getTotalLength() : 0;
      for (let at = 0, free; at < length; at += Math.max(4, free / matrix.a)) {
        // a curve is never shorter than its chord
        const point = line.getPointAtLength(at).matrixTransform(matrix);
        free = Math.min(...near.map(({ box }) => distance(point, box)));
        const hit = free === 0 && near.find(({ box }) => distance(point, box) === 0);
        if (hit) return [`${keyOf(line)} runs through ${hit.text.textContent} of ${keyOf(hit.text)}`];
      }
      return [];
    });
  }

  /** A line keeps within the band that both its ends stand in. */
  function strayed() {
    const bands = [...plane.querySelectorAll(".band > .body")].map((body) => ({ body, box: boxOf(body, 0) }));
    return [...plane.querySelectorAll(".edge .line")].flatMap((line) => {
      const own = bands.filter(({ box }) =>
        [0, line.getTotalLength()].every(
          (at) => distance(line.getPointAtLength(at).matrixTransform(line.getScreenCTM()), box) === 0,
        ),
      );
      return own.filter(({ box }) => !holds(box, boxOf(line))).map(({ body }) => `${keyOf(line)} leaves ${keyOf(body)}`);
    });
  }

  /** Buttons, map, path and card stand beside the picture, and the step of the lesson is whole in sight. */
  function covered() {
    const window = boxOf(stage, 0);
    const aside = [...document.querySelectorAll(".graph-controls, .graph-minimap, .graph-caption, .selection, gl-graph-bar")];
    const over = aside.filter((each) => each.getClientRects().length > 0 && meet(boxOf(each), window));
    const step = plane.querySelector(".item.current:not(.open) > .body");
    const { left, top, right, bottom } = step ? boxOf(step) : window;
    const inSight = left >= window.left && top >= window.top && right <= window.right && bottom <= window.bottom;
    return [
      ...over.map((each) => `${each.className || each.localName} covers the picture`),
      ...(inSight ? [] : [`${keyOf(step)} is out of sight`]),
    ];
  }

  function texts() {
    return [...plane.querySelectorAll("text")].filter((text) => text.textContent !== "");
  }

  /** Once a hand has moved the picture, each scope opens and closes with its top where it is; what would be cut is brought in sight. */
  async function jumps() {
    const found = [];
    moveByHand();
    for (const key of [...unlike(document.querySelectorAll(".graph-view .item.scope:not(.open)"))]) {
      if (!byKey(key)) continue; // another opening took it out of the window
      for (const act of ["opens", "closes"]) {
        const was = topOf(key);
        delete root.dataset.graphDrawn;
        byKey(key)
          .querySelector(":scope > .toggle")
          .dispatchEvent(new MouseEvent("click", { bubbles: true }));
        const isThere = () => byKey(key)?.classList.contains("open") === (act === "opens");
        while (!root.dataset.graphDrawn || !isThere()) await frame(); // an earlier picture may still be told as drawn
        const is = topOf(key);
        const fits = hasRoom(was, is);
        if (fits && Math.hypot(is.x - was.x, is.y - was.y) > 2) found.push(`${key} jumps as it ${act}`);
        if (isLost(is)) found.push(`${key} is out of sight as it ${act}`);
      }
    }
    return found;
  }

  /** Of the scopes that differ in their number alone the first and the last. */
  function unlike(scopes) {
    const families = new Map();
    for (const { dataset } of scopes) {
      const family = dataset.key.replaceAll(/\d+/g, "");
      families.set(family, [families.get(family)?.[0] ?? dataset.key, dataset.key]);
    }
    return new Set([...families.values()].flat());
  }

  /** Push the picture by nothing, as a press on the wheel's edge does: from here on it is left where it is. */
  function moveByHand() {
    const { left, top } = stage.getBoundingClientRect();
    stage.dispatchEvent(new WheelEvent("wheel", { deltaY: 0.01, clientX: left, clientY: top, bubbles: true, cancelable: true }));
  }

  /** Whether what opens has room where its top was. @param {{x: number, y: number}} was */
  function hasRoom(was, { broad, high }) {
    const { left, right, bottom } = boxOf(stage, 30);
    const isBelowEdge = was.y >= boxOf(stage, 0).top;
    return isBelowEdge && was.x - broad / 2 > left && was.x + broad / 2 < right && was.y + high < bottom;
  }

  /** Whether a part is not whole in sight, though there is room for it. */
  function isLost({ x, y, broad, high }) {
    const room = boxOf(stage, 30);
    const box = { left: x - broad / 2, right: x + broad / 2, top: y, bottom: y + high };
    return broad < room.right - room.left && high < room.bottom - room.top && !holds(boxOf(stage, -1), box);
  }

  function topOf(key) {
    const { left, right, top, bottom } = byKey(key).querySelector(":scope > .body").getBoundingClientRect();
    return { x: (left + right) / 2, y: top, broad: right - left, high: bottom - top };
  }

  /** Where each item stands on the plane. */
  function places() {
    const items = [...plane.querySelectorAll(".item")].sort((a, b) => (a.dataset.key < b.dataset.key ? -1 : 1));
    return Object.fromEntries(items.map((item) => [item.dataset.key, item.getAttribute("transform")]));
  }
}
