// What of a program's graph is known at step k of its lesson.
//
// Everything here maps values to values. A node is *told* by the step that computes it; a node
// without a step of its own (a constant, a read, a gate) is known as soon as its inputs are.

import { shortValue } from "../values/format.js";
import { stripOf } from "../values/strips.js";

/** @import { ApiNode, Program, Step, Value } from "../types.js" */
/** @typedef {"done" | "current" | "waiting"} Status */
/** @import { Strip } from "../values/strips.js" */
/**
 * @typedef {object} Known
 * @property {ReadonlyMap<string, string>} values   of nodes and scopes, as text
 * @property {ReadonlyMap<string, Value | undefined>} exact  of nodes, with every digit, whether told yet or not
 * @property {ReadonlyMap<string, Status>} status
 * @property {ReadonlyMap<string, Strip>} strips    of those that are tensors, or not finite
 */

export const UNKNOWN = "?";
const ROOM = 9; // characters that the drawing keeps free for a value

/** The node that makes a tensor: "Exp:0" -> "Exp". @param {string} tensor */
export const nodeOf = (tensor) => tensor.replace(/^\^/, "").replace(/:\d+$/, "");

/**
 * The name that a learner gave each node first; a loop's variable comes later.
 * @param {Program} program
 * @returns {Map<string, string>}
 */
export function learnersNames(program) {
  const named = program.bindings.filter((binding) => binding.tensor && binding.name);
  return new Map(named.reverse().map((binding) => [nodeOf(binding.tensor ?? ""), binding.name ?? ""]));
}

/**
 * The step at which a first-time reader starts: everything forward is known, the seed is placed.
 * @param {readonly Step[]} steps
 */
export function firstStop(steps) {
  const backward = steps.findIndex((step) => step.phase !== "forward");
  return backward === -1 ? steps.length - 1 : backward;
}

/**
 * Where in the text stands what a step is about: of a gradient, the op that it belongs to.
 * @param {readonly ApiNode[]} nodes @param {Step | null} step
 */
export const placeOf = (nodes, step) => (step && nodes.find(({ name }) => name === (step.of ?? nodeOf(step.node)))?.span) ?? null;

const BACKWARD = new Set(["seed", "backward", "sum"]); // at level Mathematics, what together is the backward pass

/** The phase that a step belongs to. @param {Step} step */
export const phaseOf = ({ phase }) => (BACKWARD.has(phase) ? "gradient" : phase);

/** Runs of steps of one phase, in order. @param {readonly Step[]} steps */
export function phasesOf(steps) {
  /** @type {{phase: string, first: number, count: number}[]} */
  const phases = [];
  for (const step of steps) {
    const last = phases.at(-1);
    if (last?.phase === phaseOf(step)) last.count += 1;
    else phases.push({ phase: phaseOf(step), first: step.index, count: 1 });
  }
  return phases;
}

/** @typedef {ReturnType<typeof phasesOf>} Phases */

/**
 * The phases of each pass: where a program goes through its nodes again, a forward phase follows another one.
 * @param {Phases} phases @returns {Phases[]}
 */
export function passesOf(phases) {
  /** @type {Phases[]} */
  const passes = [];
  for (const each of phases) {
    if (passes.length === 0 || each.phase === "forward") passes.push([]);
    passes[passes.length - 1].push(each);
  }
  return passes;
}

/** The nodes that a step stands for. @param {Step} step */
export const nodesOf = ({ node, nodes = [node] }) => nodes;

/** The node whose value a step shows, with the value; none of a step that computes nothing. @param {Step} step @returns {[string, Value][]} */
export const shownBy = ({ node, nodes, output }) => (output ? [[nodes ? nodeOf(output.tensor) : node, output.value]] : []);

/**
 * What each node's value is at a step: what was shown of it last, else what will be first.
 * @param {readonly Step[]} steps @param {number} cursor @returns {Map<string, Value>}
 */
function valuesAt(steps, cursor) {
  const values = new Map(steps.slice(0, cursor + 1).flatMap(shownBy));
  for (const [name, value] of steps.slice(cursor + 1).flatMap(shownBy)) if (!values.has(name)) values.set(name, value);
  return values;
}

/**
 * For each node the index of the step after which its value is known, -1 for "from the start": of a node that is shown
 * in every turn of a loop, the first. A node that only groups others is known with the last of them.
 * @param {readonly ApiNode[]} nodes @param {readonly Step[]} steps @returns {Map<string, number>}
 */
export function knownAt(nodes, steps) {
  const stepOf = new Map(steps.toReversed().flatMap((step) => nodesOf(step).map((node) => [node, step.index])));
  const rowWithoutLesson = steps.length === 0 ? -1 : steps.length; // an update that the lesson does not reach
  /** @type {Map<string, number>} */
  const known = new Map();
  for (const { name, phase, inputs, control_inputs: groups } of nodes) {
    const after = (inputs.length > 0 ? inputs : groups).map((input) => known.get(nodeOf(input)) ?? -1);
    const own = phase === "update" && inputs.length > 0 ? rowWithoutLesson : -1;
    known.set(name, stepOf.get(name) ?? Math.max(own, ...after));
  }
  return known;
}

/** The scopes around a name, outermost first. @param {string} name */
export function scopesAround(name) {
  const parts = name.split("/");
  return parts.slice(1).map((_, depth) => parts.slice(0, depth + 1).join("/"));
}

/** The nodes that a program is about: its target, what it differentiates and the gradients it asked for. @param {Program} program */
const nodesAbout = ({ target, gradients }) =>
  new Set([target, ...gradients.flatMap(({ y, tensor }) => [y, tensor])].flatMap((tensor) => (tensor ? [nodeOf(tensor)] : [])));

/** @type {WeakMap<Program, Map<string, string[]>>} a program never changes, and its scopes are asked for at every step */
const outputsByProgram = new WeakMap();

/** What each scope hands on, kept by program. @param {Program} program @returns {ReadonlyMap<string, string[]>} */
export function scopeOutputs(program) {
  const known = outputsByProgram.get(program) ?? outputsOf(program);
  outputsByProgram.set(program, known);
  return known;
}

/**
 * What each scope hands on: its variable where it is one, else what goes on from it in the pass that it belongs to or was
 * asked for, else what is read outside it, else what no node reads. The state that an optimizer puts into a scope belongs
 * to another pass, and so does a rule that borrows a value of the forward pass.
 * @param {Program} program @returns {Map<string, string[]>}
 */
function outputsOf(program) {
  const { nodes } = program.graph;
  const phases = new Map(nodes.map(({ name, phase }) => [name, phase]));
  const wanted = nodesAbout(program);
  /** @type {Map<string, string[]>} */
  const readers = new Map(nodes.map(({ name }) => [name, []]));
  for (const { name, inputs } of nodes) for (const input of inputs) readers.get(nodeOf(input))?.push(name);
  /** @type {Map<string, {phase: string, goingOn: string[], handed: string[], unread: string[]}>} */
  const found = new Map();
  for (const { name, phase } of nodes) {
    for (const scope of scopesAround(name)) {
      const those = found.get(scope) ?? { phase, goingOn: phases.has(scope) ? [scope] : [], handed: [], unread: [] };
      found.set(scope, those);
      if (phase !== those.phase || phases.has(scope)) continue;
      const by = readers.get(name) ?? [];
      const outside = by.filter((reader) => !reader.startsWith(`${scope}/`));
      if (wanted.has(name) || outside.some((reader) => phases.get(reader) === phase)) those.goingOn.push(name);
      if (outside.length > 0) those.handed.push(name);
      if (by.length === 0) those.unread.push(name);
    }
  }
  return new Map([...found].map(([scope, those]) => [scope, firstFilled(those.goingOn, those.handed, those.unread)]));
}

/** The first list that holds something. @param {...string[]} lists @returns {string[]} */
const firstFilled = (...lists) => lists.find(({ length }) => length > 0) ?? [];

/** @param {Status[]} inner @returns {Status} */
function scopeStatus(inner) {
  if (inner.includes("current")) return "current";
  return inner.every((status) => status === "done") ? "done" : "waiting";
}

/** The texts of several outputs, while they fit. @param {string[]} texts */
function together(texts) {
  if (texts.every((text) => text === UNKNOWN)) return texts[0] ?? "";
  const joined = texts.join(", ");
  return joined.length <= ROOM ? joined : (texts.at(-1) ?? "");
}

/**
 * What is known of nodes, and of every scope by what it hands on.
 * @param {ReadonlyMap<string, Value | undefined>} shown @param {Map<string, Status>} status
 * @param {Program} program @returns {Known}
 */
function withScopes(shown, status, program) {
  const values = new Map([...shown].map(([name, value]) => [name, status.get(name) === "waiting" ? UNKNOWN : nodeText(value)]));
  const strips = new Map(
    [...shown].flatMap(([name, value]) => {
      const strip = status.get(name) === "waiting" ? null : stripOf(value);
      return strip ? [[name, strip]] : [];
    }),
  );
  const { nodes } = program.graph;
  const names = new Set(nodes.map((node) => node.name));
  for (const [scope, outputs] of scopeOutputs(program)) {
    if (names.has(scope)) continue;
    status.set(scope, scopeStatus(outputs.map((name) => status.get(name) ?? "done")));
    const strip = strips.get(outputs.at(-1) ?? "");
    if (strip) strips.set(scope, strip);
    values.set(scope, together(outputs.map((name) => values.get(name) ?? "").filter((text) => text !== "")));
  }
  const current = [...status].filter(([, state]) => state === "current");
  for (const scope of current.flatMap(([name]) => scopesAround(name))) {
    if (!names.has(scope)) status.set(scope, "current"); // a scope named like a node has that node's state
  }
  return { values, exact: shown, status, strips };
}

/**
 * Values and states at one step. Without a lesson everything is known.
 * @param {Program} program @param {readonly Step[]} steps @param {number} cursor
 * @param {import("../types.js").Lesson["values"]} [others] than the program's last run left behind: those of the run that is told
 * @returns {Known}
 */
export function knownAfter(program, steps, cursor, others = {}) {
  const { nodes } = program.graph;
  const isUnrun = steps.length === 0 && Object.keys(others).length === 0;
  if (isUnrun && !nodes.some(({ op, value }) => op !== "Const" && value !== null)) return knownConstants(nodes);
  const values = new Map([...Object.entries(others), ...valuesAt(steps, cursor)]);
  const shown = new Map(nodes.map(({ name, value }) => [name, values.has(name) ? (values.get(name) ?? null) : value]));
  return withScopes(shown, statusAt(nodes, steps, cursor), program);
}

/** Which nodes are known at a step. @param {readonly ApiNode[]} nodes @param {readonly Step[]} steps @param {number} cursor */
function statusAt(nodes, steps, cursor) {
  const index = knownAt(nodes, steps);
  const current = steps[cursor]?.node;
  /** @param {string} name @returns {Status} */
  const statusOf = (name) => (name === current ? "current" : (index.get(name) ?? -1) <= cursor ? "done" : "waiting");
  return new Map(nodes.map(({ name }) => [name, statusOf(name)]));
}

/**
 * A gradient's value as its node has it; of a node's further outputs, as the program's answer has it.
 * @param {import("../types.js").Gradient} gradient @param {Known["exact"]} exact
 */
export const gradientValue = ({ tensor, value }, exact) => (tensor?.endsWith(":0") ? exact.get(nodeOf(tensor)) : null) ?? value;

/** What is known of a graph that was not run. @param {readonly ApiNode[]} nodes @returns {Known} */
function knownConstants(nodes) {
  const given = nodes.filter(({ value }) => value !== null);
  const values = new Map(given.map(({ name, value }) => [name, nodeText(value)]));
  const exact = new Map(given.map(({ name, value }) => [name, value]));
  return { values, exact, status: new Map(), strips: new Map() };
}

/** @param {Value | undefined} value */
const nodeText = (value) => (value === null || value === undefined ? "" : shortValue(value, ROOM));

/**
 * What a run keeps of update k: each variable before it, its gradient, and what the update wrote.
 * @param {import("../types.js").Run} run @param {number} row @returns {Map<string, Value>}
 */
function variablesInRun(run, row) {
  const { graph, gradients } = run.program;
  const of = (
    /** @type {Record<string, import("../types.js").Data[]>} */ columns,
    /** @type {string} */ name,
    /** @type {number} */ at,
  ) => /** @type {Value} */ (columns[name]?.[at] ?? null);
  const values = new Map(gradients.map(({ x, name }) => [nodeOf(x), of(run.variables, name, row - 1)]));
  const after = new Map(gradients.map(({ x, name }) => [nodeOf(x), of(run.variables, name, row)]));
  for (const name of Object.keys(run.shared ?? {})) after.set(name, of(run.shared, name, row));
  for (const { name, tensor } of gradients)
    if (tensor?.endsWith(":0")) values.set(nodeOf(tensor), of(run.gradients, name, row - 1));
  for (const { name, op, phase, inputs } of graph.nodes) {
    const written = phase === "update" && op !== "Identity" && inputs.length > 0 ? after.get(nodeOf(inputs[0])) : undefined;
    if (written !== undefined && !isFirstAssign(name, inputs)) values.set(name, written);
  }
  return values;
}

/** Whether an update only gives a variable its first value: "beta1_power/Assign". @param {string} name @param {string[]} inputs */
const isFirstAssign = (name, [to]) => name === `${nodeOf(to)}/Assign`;

/** Ops whose value no step changes, or that have a column of their own. */
export const FIXED = new Set(["Const", "Assign", "VariableV2", "VarHandleOp"]);
/** Whether a tensor is one that a step changes and that columns are not kept of. @param {ApiNode} node */
export const isLeftOut = ({ op, phase, value }) =>
  !FIXED.has(op) && phase !== "update" && value instanceof Object && value.shape.length > 0 && value.dtype.startsWith("float");

const OF_EACH_STEP = new Set(["gradient", "process"]); // phases of which every number is computed anew

/** @param {Value} value */
const isScalar = (value) => typeof value === "number" || (value instanceof Object && value.shape.length === 0);

/**
 * Values of update k of a run: the variables before it, and all that is computed from them; of what writes a variable, what
 * it wrote. Of what the columns have not got, a tensor one step on keeps the value that was known last until it is asked
 * for; a number of another step, or a tensor of one further away, would mislead, and is blank.
 * @param {import("../types.js").Run} run @param {number} row at least 1
 * @param {{nodes: Readonly<Record<string, Value>>, row: number} | null} [rowValues] @returns {Known}
 */
export function knownInRun(run, row, rowValues = null) {
  const { nodes } = run.program.graph;
  const at = row - 1;
  const variables = variablesInRun(run, row);
  const hasColumns = Object.keys(run.nodes).length > 0;
  /** @param {string} tensor @returns {Value} */
  const askedFor = (tensor) => {
    const value = rowValues?.nodes[tensor] ?? null;
    const away = Math.abs((rowValues?.row ?? row) - row);
    return away === 0 || (away === 1 && !isScalar(value)) ? value : null;
  };
  /** @param {import("../types.js").ApiNode} node @returns {Value} */
  const before = (node) => {
    const { op, phase, value } = node;
    const changes = !FIXED.has(op) && (OF_EACH_STEP.has(phase) || (!hasColumns && phase === "forward"));
    return (at > 0 && changes && isScalar(value)) || (at > 1 && isLeftOut(node)) ? null : value;
  };
  /** @param {import("../types.js").ApiNode} node @returns {Value} */
  const valueOf = (node) => {
    const tensor = `${node.name}:0`;
    return variables.get(node.name) ?? /** @type {Value} */ (run.nodes[tensor]?.[at]) ?? askedFor(tensor) ?? before(node);
  };
  const shown = new Map(nodes.map((node) => [node.name, valueOf(node)]));
  for (const { name, op, phase, inputs } of nodes)
    if (phase === "update" && op === "Identity") shown.set(name, shown.get(nodeOf(inputs[0])) ?? null); // the optimizer's state, read
  const status = new Map(nodes.map((node) => [node.name, /** @type {Status} */ ("done")]));
  return withScopes(shown, status, run.program);
}

/**
 * The same while the update is walked through: the numbers are the run's, and the steps say what is known of them.
 * @param {import("../types.js").Run} run @param {number} row @param {readonly Step[]} steps @param {number} cursor
 * @param {Parameters<typeof knownInRun>[2]} [rowValues] @returns {Known}
 */
export function knownWithin(run, row, steps, cursor, rowValues = null) {
  const { exact } = knownInRun(run, row, rowValues);
  return withScopes(exact, statusAt(run.program.graph.nodes, steps, cursor), run.program);
}

/** Whether an update of a run is shown, whole or step by step. @param {{run: unknown, row: number}} state */
export const isInRun = ({ run, row }) => run !== null && row > 0;

/** The last step that one can go to: in a run the update itself follows the lesson's. @param {{run: unknown, row: number, steps: readonly Step[]}} state */
export const lastStop = (state) => state.steps.length - (isInRun(state) ? 0 : 1);

/** The steps of a lesson that a run tells with its own numbers: all but the update, and what follows from the gradients alone. @param {readonly Step[]} steps */
export const stepsInRun = (steps) => steps.filter(({ phase }) => phase !== "update" && phase !== "close");
