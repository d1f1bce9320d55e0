// The page in a frame of another one: graph, step and transport, and the way to all of it.

import { effect } from "@preact/signals-core";

import { partOfState, state, t } from "../../store.js";

const NOT_SHOWN = "gl-header, gl-tabs, gl-input, gl-dock";
const words = partOfState("source", "item", "language", "catalogue");

document.querySelectorAll(NOT_SHOWN).forEach((element) => element.remove());
const whole = Object.assign(document.createElement("a"), { className: "whole-page", target: "_blank", rel: "noopener" });
whole.href = location.href.replace(/embed(?=$|[?#])/, "");
if (location.protocol.startsWith("http")) document.body.append(whole); // not of a page that was saved as a file
effect(() => {
  const { source, item, language } = words.value;
  if (Object.keys(state.value.catalogue).length === 0) return;
  const title = item ? (language === "en" ? item.title.en : item.title.zh) : source.trim().split("\n")[0];
  document.title = `${title} – Gradlens`;
  whole.textContent = t("embed.open");
});
addEventListener("hashchange", () => location.reload()); // the page around it has another state shown
