import assert from "node:assert/strict";
import { test } from "node:test";

import { drawsNumbers, feedsInUse, isGivenInFile, placeholdersOf, variablesToTrain } from "../../../frontend/state/given.js";

/** @param {string[]} ops @param {object} [more] */
const program = (ops, more = {}) =>
  /** @type {any} */ ({
    dialect: "tf1",
    status: "ok",
    target: "y:0",
    gradients: [],
    bindings: [],
    graph: { nodes: ops.map((op, k) => ({ name: `n${k}`, op })) },
    ...more,
  });

test("values stay for the placeholders that the answer has", () => {
  const answer = program(["Placeholder", "Sin", "PlaceholderWithDefault"]);
  assert.deepEqual(placeholdersOf(answer).map(({ name }) => name), ["n0", "n2"]); // prettier-ignore
  assert.deepEqual(feedsInUse({ n0: 1, x: 2 }, answer), { n0: 1 });
  const feeds = { n0: 1 };
  assert.equal(feedsInUse(feeds, answer), feeds);
  assert.equal(feedsInUse(feeds, program([], { status: "error" })), feeds); // they may be wanted again
});

test("of a graph from a file placeholders and variables take values, and nothing else", () => {
  const { nodes } = program(["Placeholder", "VariableV2", "Sin", "Const"]).graph;
  assert.deepEqual(nodes.map(isGivenInFile), [true, true, false, false]);
});

test("a program draws numbers where its graph or its text does", () => {
  assert.ok(drawsNumbers(program(["RandomStandardNormal"]), ""));
  assert.ok(drawsNumbers(program([]), "x = np.random.rand(3)"));
  assert.ok(!drawsNumbers(program(["Sin"]), "y = tf.sin(x)"));
  assert.ok(!drawsNumbers(program([], { dialect: "math" }), "random = 3"));
});

test("variables can be chosen where the program does not ask for gradients itself", () => {
  const bindings = [{ kind: "variable", name: "w", tensor: "w:0" }, { kind: "variable", name: "b", tensor: "b:0" }]; // prettier-ignore
  const gradients = [{ x: "w:0" }];
  const one = program([], { bindings, gradients });
  assert.deepEqual(variablesToTrain(one, "y = w * b"), [{ name: "w", isTrained: true }, { name: "b", isTrained: false }]); // prettier-ignore
  assert.deepEqual(variablesToTrain(one, "g = tf.gradients(y, [w, b])"), []);
  assert.deepEqual(variablesToTrain(program([], { bindings, dialect: "math" }), "y = w * b"), []);
});
