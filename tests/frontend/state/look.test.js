import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as look from "../../../frontend/state/look.js";
import * as selectors from "../../../frontend/state/selectors.js";
import * as store from "../../../frontend/store.js";
import { CHAIN, STEPS } from "../chain.js";

const { state, update } = store;

beforeEach(() => {
  state.value = store.INITIAL;
  update(store.answered(state.value, CHAIN, { steps: STEPS }));
});

test("a scope opens and closes", () => {
  update(look.toggled(state.value, "gradients/Exp_grad"));
  assert.equal(state.value.open.has("gradients/Exp_grad"), true);
  update(look.toggled(state.value, "gradients/Exp_grad"));
  assert.equal(state.value.open.has("gradients/Exp_grad"), false);
});

test("undoing goes back one change of the view at a time", () => {
  const first = state.value.open;
  update(look.allClosed(state.value));
  update(look.allOpened(state.value, CHAIN.graph.nodes));
  assert.deepEqual([...state.value.open], ["x", "gradients", "gradients/Exp_grad", "gradients/Sin_grad"]);
  update(look.undone(state.value));
  assert.deepEqual([...state.value.open], []);
  update(look.undone(state.value));
  assert.equal(state.value.open, first);
  assert.deepEqual(look.undone(state.value), {});
});

test("what is revealed is selected, and the scopes around it open", () => {
  update(look.revealed(state.value, "gradients/Sin_grad/Cos", CHAIN.graph.nodes));
  assert.equal(state.value.selected, "gradients/Sin_grad/Cos");
  assert.equal(state.value.open.has("gradients/Sin_grad"), true);
  assert.equal(state.value.past.length, 1);
  update(look.revealed(state.value, "Sin", CHAIN.graph.nodes));
  assert.equal(state.value.past.length, 1); // nothing had to open
});

test("a trace lights up what the selected node depends on, once what finds it is there", async () => {
  selectors.findingTools.value = null;
  assert.equal(selectors.wantsFindingTools.value, false);
  update({ selected: "Sin", trace: "upstream" });
  assert.deepEqual([selectors.wantsFindingTools.value, selectors.graphMarks.value.traced], [true, null]);
  selectors.findingTools.value = await import("../../../frontend/finding/tools.js");
  assert.equal(selectors.wantsFindingTools.value, false);
  assert.deepEqual([...(selectors.graphMarks.value.traced ?? [])], ["Sin", "x/read", "x"]);
  update({ selected: null });
  assert.equal(selectors.graphMarks.value.traced, null);
});
