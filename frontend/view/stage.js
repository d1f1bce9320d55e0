// The stage of the graph: the elements that the picture is drawn in, and what stands beneath them.

import { svg } from "./svg.js";

/** The stage, the picture on it, and the plane that moves in the picture. */
export function createStage() {
  const plane = svg("g", { class: "plane" });
  const picture = svg("svg", { class: "picture", role: "group" }, [plane]);
  const stage = document.createElement("div");
  stage.className = "graph-stage";
  stage.append(picture);
  return { stage, picture, plane };
}

/** What stands beneath the stage. @param {HTMLElement[]} parts */
export function footOf(...parts) {
  const foot = document.createElement("div");
  foot.className = "graph-foot";
  foot.append(...parts);
  return foot;
}
