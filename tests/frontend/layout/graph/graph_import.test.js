import assert from "node:assert/strict";
import { test } from "node:test";

import { graphFrom, nodesFrom, programOf } from "../../../../frontend/layout/graph/graph_import.js";

const NODES = [
  { id: "x", op: "VariableV2", inputs: [], shape: [] },
  { id: "a/Exp", op: "Exp", inputs: ["x"], shape: [] },
  { id: "gradients/Fill", op: "Fill", inputs: [], shape: [], value: 1 },
  { id: "gradients/a/Exp_grad/mul", op: "Mul", inputs: ["gradients/Fill", "a/Exp", "^x"], shape: [] },
  { id: "Momentum/update_x/ApplyMomentum", op: "ApplyMomentum", inputs: ["x", "gradients/a/Exp_grad/mul"], shape: [] },
  { id: "Momentum", op: "NoOp", inputs: ["^Momentum/update_x/ApplyMomentum"] },
];
const nodes = nodesFrom(JSON.stringify({ nodes: NODES })) ?? [];

test("phases follow from TensorFlow's names", () => {
  assert.deepEqual(
    nodes.map(({ phase }) => phase),
    ["forward", "forward", "gradient", "gradient", "update", "update"],
  );
});

test("a gradient is of the op whose rule made it", () => {
  assert.deepEqual(
    nodes.map(({ of }) => of),
    [null, null, null, "a/Exp", null, null],
  );
});

test("control inputs are told from data, and an op without outputs has none", () => {
  assert.deepEqual(nodes[3].inputs, ["gradients/Fill", "a/Exp"]);
  assert.deepEqual(nodes[3].control_inputs, ["x"]);
  assert.deepEqual(nodes[5].outputs, []);
});

test("a text that holds no graph is told by null", () => {
  for (const text of ["", "{", "[]", '{"nodes": []}', '{"nodes": [{"name": "x"}]}']) assert.equal(nodesFrom(text), null);
});

test("the server's answer about a file is taken as it is, with its id and what it says", () => {
  const node = {
    name: "y",
    op: "Exp",
    inputs: ["x"],
    control_inputs: [],
    attrs: { T: "float32" },
    outputs: [{ dtype: "float32", shape: [] }],
  };
  const note = { severity: "note", code: "unknown_ops", message: "…" };
  const answer = { id: "i_1", format: "pb", nodes: 2, graph: { nodes: [node, { ...node, name: "z" }] }, diagnostics: [note] };
  const found = graphFrom(JSON.stringify(answer));
  assert.ok(found);
  assert.deepEqual(found.nodes[0], node);
  assert.equal(found.nodes[0].outputs, found.nodes[1].outputs);
  const program = programOf(found.nodes, found.about);
  assert.deepEqual([program.imported, program.diagnostics], ["i_1", [note]]);
});

test("what nodes have in common is made once", () => {
  const [x, y, z] =
    nodesFrom(
      '{"nodes": [{"id": "x", "op": "A", "shape": [2, null]}, {"id": "y", "op": "A", "shape": [2, null]}, {"id": "z", "op": "A", "shape": []}]}',
    ) ?? [];
  assert.equal(x.outputs, y.outputs);
  assert.equal(x.control_inputs, z.control_inputs);
  assert.deepEqual(z.outputs, [{ dtype: "float32", shape: [] }]);
});
