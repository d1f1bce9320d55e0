// How the graph stands in its window, measured on its elements: a function that the tests run in the page.
() => {
  const LEAST_TEXT = 9; // px on screen
  const MARGIN = 15; // px around the picture where all of it is shown
  const HAIR = 1; // px that rounding may take
  const plane = document.querySelector(".graph-view .plane");
  const stage = document.querySelector(".graph-stage");
  const map = document.querySelector(".graph-map");
  const canvas = stage.getBoundingClientRect();
  const scale = plane.getScreenCTM().a;
  const page = document.querySelector(".graph-minimap svg").viewBox.baseVal;
  const smallest = Math.min(...[...plane.querySelectorAll("text")].filter((text) => text.textContent).map(sizeOf));

  return { faults, facts };

  function facts() {
    const { width, height } = document.querySelector("gl-graph").getBoundingClientRect();
    return {
      share: +((width * height) / (innerWidth * innerHeight)).toFixed(3),
      stage: [canvas.width, canvas.height].map(Math.round),
      page: [page.width, page.height].map(Math.round),
      scale: +scale.toFixed(3),
      text: +(smallest * scale).toFixed(1),
      fits: fitsAtLeast(page),
    };
  }

  function faults(opened = []) {
    return map.hidden ? [...clipped(), ...covered(), ...unreadable(), ...outOfSight(opened)] : covered();
  }

  function sizeOf(text) {
    return parseFloat(getComputedStyle(text).fontSize);
  }

  /** Whether a box of the plane has room on the stage with text of 9 px. */
  function fitsAtLeast({ width, height }) {
    const least = LEAST_TEXT / smallest;
    return width * least <= canvas.width - 2 * MARGIN && height * least <= canvas.height - 2 * MARGIN;
  }

  function holds({ left, top, right, bottom }) {
    return (
      left >= canvas.left - HAIR && top >= canvas.top - HAIR && right <= canvas.right + HAIR && bottom <= canvas.bottom + HAIR
    );
  }

  function bodies() {
    return [...plane.querySelectorAll(".item > .body, .constant > rect")];
  }

  function keyOf(element) {
    return element.closest("[data-key]").dataset.key;
  }

  /** All that has room is in sight; where there is more, text is as small as it may be. */
  function clipped() {
    const origin = plane.getScreenCTM();
    const whole = {
      left: origin.e + page.x * scale,
      top: origin.f + page.y * scale,
      right: origin.e + (page.x + page.width) * scale,
      bottom: origin.f + (page.y + page.height) * scale,
    };
    if (canvas.bottom > innerHeight + HAIR || canvas.right > innerWidth + HAIR) return ["the picture reaches out of the window"];
    if (holds(whole)) return [];
    const cut = bodies()
      .filter((body) => !holds(body.getBoundingClientRect()))
      .map(keyOf);
    if (fitsAtLeast(page)) return cut.length > 0 ? [`${cut.length} cut: ${cut.slice(0, 3)}`] : ["a part is out of sight"];
    return smallest * scale > LEAST_TEXT + 0.05 ? [`cut with text of ${(smallest * scale).toFixed(1)} px`] : [];
  }

  /** Nothing of the page stands on a node. */
  function covered() {
    return bodies().flatMap((body) => {
      const { left, top, right, bottom } = body.getBoundingClientRect();
      const points = [left + 2, (left + right) / 2, right - 2].flatMap((x) =>
        [top + 2, (top + bottom) / 2, bottom - 2].map((y) => [x, y]),
      );
      const over = points
        .filter(([x, y]) => x > canvas.left && x < canvas.right && y > canvas.top && y < canvas.bottom)
        .map(([x, y]) => document.elementFromPoint(x, y))
        .find((top) => top !== null && !stage.contains(top));
      return over === undefined ? [] : [`${over?.className || over?.localName} covers ${keyOf(body)}`];
    });
  }

  function unreadable() {
    return smallest * scale < LEAST_TEXT - 0.05 ? [`text of ${(smallest * scale).toFixed(1)} px`] : [];
  }

  /** What was opened last, else the step of the lesson: whole where it has room, else its beginning. */
  function outOfSight(opened) {
    const last = opened.slice(-1);
    const steps = [...plane.querySelectorAll(".item.current:not(.open) > .body")];
    const lost = steps
      .filter((body) => !holds(body.getBoundingClientRect()))
      .map((body) => `the step ${keyOf(body)} is out of sight`);
    return [
      ...(last.length > 0 || lost.length < steps.length ? [] : lost),
      ...last.flatMap((key) => {
        const body = plane.querySelector(`[data-key="${CSS.escape(key)}"] > .body`);
        if (!body) return [`${key} is gone`];
        const box = body.getBoundingClientRect();
        const size = { width: box.width / scale, height: box.height / scale };
        if (fitsAtLeast(size) && !holds(box)) return [`${key} is cut`];
        return box.right > canvas.left && box.left < canvas.right && box.bottom > canvas.top && box.top < canvas.bottom
          ? []
          : [`${key} is out of sight`];
      }),
    ];
  }
}
