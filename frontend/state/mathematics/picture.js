// The graph at level Mathematics: a box for each quantity that the learner wrote, and beneath it one for its gradient.
//
// It is a view of the program's graph, made of the steps of its lesson: nodes in the form that the layout takes, each
// with what is known of it. What a step multiplies by stands on the line between two gradients, as a factor.

import { learnersNames, nodeOf } from "../lesson.js";
import { constantId, factorId, gradientId, gradientsOfNode, processId, quantityId, updateId } from "./ids.js";

/** @import { ApiNode, Contribution, Program, Step } from "../../types.js" */
/**
 * What a box, or a factor, stands for.
 * @typedef {object} Part
 * @property {"quantity" | "gradient" | "factor" | "process" | "update" | "constant"} kind
 * @property {string} id
 * @property {string} label
 * @property {string | null} tensor     of TensorFlow, that has its value
 * @property {string | null} quantity   id of the quantity that it is about
 * @property {string[]} inputs          ids of parts
 * @property {number[]} told            steps that say something of it, in order; after the last it is known
 * @property {number} place             of a factor: which contribution of its step it is
 * @property {string[]} nodes           of TensorFlow, that compute it
 */
/** @typedef {{nodes: ApiNode[], parts: ReadonlyMap<string, Part>}} Picture */

/**
 * The picture that a lesson tells.
 * @param {Program} program whose graph it is a view of: in a run the one that the optimizer has grown
 * @param {readonly Step[]} steps @returns {Picture}
 */
export function pictureOf(program, steps) {
  const draft = new Draft(program);
  for (const step of steps) draft.take(step);
  draft.addUpdates();
  return { nodes: draft.nodes(), parts: draft.parts };
}

/** Formulas of sums need brackets as a factor. @param {string} text */
function asFactor(text) {
  const outside = text.replace(/\([^()]*(?:\([^()]*\)[^()]*)*\)/g, "");
  return /[+−]/.test(outside) ? `(${text})` : text;
}

const ONE = "1"; // the factor of what passes on unchanged

class Draft {
  /** @type {Map<string, Part>} */
  parts = new Map();
  /** @type {Map<string, string>} id of the part that has a tensor's value */
  #byTensor = new Map();
  /** @type {Map<string, ApiNode>} */
  #graph;
  /** @type {ReadonlyMap<string, string>} */
  #names;

  /** @param {Program} program */
  constructor(program) {
    this.program = program;
    this.#graph = new Map(program.graph.nodes.map((node) => [node.name, node]));
    this.#names = learnersNames(program);
  }

  /** @param {Step} step */
  take(step) {
    const take = {
      forward: this.#forward,
      seed: this.#seed,
      backward: this.#backward,
      sum: this.#sum,
      process: this.#process,
      update: this.#update,
    }[/** @type {"forward"} */ (step.phase)];
    take?.call(this, step);
  }

  /** @param {string} id @param {Partial<Part> & Pick<Part, "kind" | "label">} more @returns {Part} the part of this id, made where there is none yet */
  #part(id, more) {
    const known = this.parts.get(id);
    if (known) return known;
    const part = { ...{ id, tensor: null, quantity: null, inputs: [], told: [], place: 0, nodes: [] }, ...more };
    this.parts.set(id, part);
    return part;
  }

  /** Note which tensor has a part's value; the first part that it belongs to counts. @param {Part} part @param {string | null | undefined} tensor */
  #has(part, tensor) {
    if (!tensor) return;
    part.tensor = tensor;
    if (!this.#byTensor.has(tensor)) this.#byTensor.set(tensor, part.id);
  }

  // -- forward

  /** @param {Step} step */
  #forward({ index, output, inputs = [], rule_text: rule, nodes = [] }) {
    const part = this.#part(quantityId(output.tensor), { kind: "quantity", label: quantityLabel(rule ?? ""), nodes });
    this.#has(part, output.tensor);
    part.told.push(index);
    part.inputs = inputs.flatMap(({ tensor }) => this.#source(tensor) ?? []);
  }

  /** What an operation reads: a quantity, or an array that is given. @param {string} tensor */
  #source(tensor) {
    const id = quantityId(tensor);
    if (this.parts.has(id)) return id;
    const node = this.#graph.get(nodeOf(tensor));
    if (node?.op !== "Const" || !node.outputs[0]?.shape?.length) return null; // a number stands in the formula
    const label = this.#names.get(node.name) ?? node.name;
    return this.#part(constantId(tensor), { kind: "constant", label, tensor, nodes: [node.name] }).id;
  }

  // -- backward

  /** @param {string} tensor whose gradient it is @param {string} label */
  #gradient(tensor, label) {
    return this.#part(gradientId(tensor), { kind: "gradient", label, quantity: quantityId(tensor) });
  }

  /** @param {Step} step */
  #seed({ index, of, output, rule_text: rule, nodes = [] }) {
    const y = [...this.parts.values()].find(({ kind, tensor }) => kind === "quantity" && tensor && nodeOf(tensor) === of);
    const part = this.#gradient(y?.tensor ?? `${of}:0`, rule ?? "");
    this.#has(part, output.tensor);
    part.told.push(index);
    part.nodes.push(...nodes);
  }

  /** @param {Step} step */
  #backward(step) {
    const { index, upstream, contributions = [], nodes = [] } = step;
    for (const [place, one] of contributions.entries()) {
      const sources = this.#sources(one.from);
      for (const source of sources) if (sources.length === 1) this.#has(source, source.tensor ?? upstream?.tensor);
      const part = this.#gradient(one.to, one.expression_text ?? "");
      this.#has(part, part.tensor ?? this.#carrier(step, one));
      part.told.push(index);
      part.nodes.push(...nodes);
      part.inputs.push(...this.#ways(step, place, sources));
      this.#drawOften(one, contributions);
    }
  }

  /** The gradients that arrive at an operation: of its result, or of its several results. @param {string} from */
  #sources(from) {
    const exact = this.parts.get(gradientId(from));
    if (exact) return [exact];
    return [...this.parts.values()].filter(({ id }) => id.startsWith(gradientsOfNode(from)));
  }

  /** The ways on which a contribution comes: through its factor, where that says more than that it is passed on. @param {Step} step @param {number} place @param {Part[]} sources */
  #ways({ index, contributions = [], nodes = [] }, place, sources) {
    const { to, from, factor_text: text } = contributions[place];
    const ids = sources.map(({ id }) => id);
    if (!text || text === ONE) return ids;
    const id = factorId(place, from, to);
    this.#part(id, { kind: "factor", label: `× ${asFactor(text)}`, inputs: ids, told: [index], place, nodes });
    return [id];
  }

  /** The tensor that has the gradient of what was asked for. @param {Step} step @param {Contribution} one */
  #carrier({ output, contributions = [] }, { to }) {
    const asked = this.program.gradients.find(({ x, tensor }) => tensor && x === to);
    return asked?.tensor ?? (contributions.length === 1 ? output.tensor : null);
  }

  /** A quantity that an operation uses twice has two lines to it, as it has two back. @param {Contribution} one @param {readonly Contribution[]} all */
  #drawOften({ from, to }, all) {
    const operation = this.parts.get(quantityId(from));
    const id = quantityId(to);
    const times = all.filter((other) => other.to === to).length;
    if (!operation?.inputs.includes(id)) return;
    while (operation.inputs.filter((each) => each === id).length < times) {
      operation.inputs.splice(operation.inputs.indexOf(id), 0, id);
    }
  }

  /** @param {Step} step */
  #sum({ index, output, contributions = [], nodes = [] }) {
    const [first] = contributions;
    const part = first && this.#gradient(first.to, first.expression_text ?? "");
    if (!part) return;
    this.#has(part, output.tensor);
    part.told.push(index);
    part.nodes.push(...nodes);
  }

  // -- what is made of the gradients

  /** @param {Step} step */
  #process({ index, node, output, rule_text: rule, nodes = [] }) {
    const label = rule ? rule.slice(rule.indexOf(" = ") < 0 ? 0 : rule.indexOf(" = ") + 3) : node;
    const inputs = this.#behind(this.#graph.get(node), isBackward);
    const part = this.#part(processId(node), { kind: "process", label, told: [index], nodes, inputs });
    this.#has(part, output.tensor);
  }

  /** @param {Step} step */
  #update({ index, node, of, rule_text: rule }) {
    const variable = this.parts.get(quantityId(`${of}:0`));
    const found = this.#graph.get(node);
    const isPlain = found?.op === "ApplyGradientDescent"; // others have a formula of several lines
    if (found && variable) this.#addUpdate(found, variable, isPlain ? rule : null, [index]);
  }

  /** The updates of a run, which the program's own lesson does not tell. */
  addUpdates() {
    for (const { x } of this.program.gradients) {
      const variable = this.parts.get(quantityId(x));
      const node = this.program.graph.nodes.find(({ op, inputs }) => /Apply/.test(op) && nodeOf(inputs[0] ?? "") === nodeOf(x));
      if (variable && node) this.#addUpdate(node, variable, null, []);
    }
  }

  /** @param {ApiNode} node @param {Part} variable @param {string | null | undefined} rule @param {number[]} told */
  #addUpdate(node, variable, rule, told) {
    const method = node.op.replace(/^.*Apply/, "").replace(/^Keras/, "");
    const label = rule ?? `${variable.label} ← ${method}`;
    const inputs = this.#behind(node, isBackward);
    const tensor = `${node.name}:0`;
    this.#part(updateId(node.name), {
      ...{ kind: "update", label, quantity: variable.id, inputs, told, tensor, nodes: [node.name] },
    });
  }

  /** The parts nearest behind a node of TensorFlow, as far as the graph leads back. @param {ApiNode | undefined} node @param {(part: Part) => boolean} counts */
  #behind(node, counts) {
    /** @type {Set<string>} */
    const found = new Set();
    const seen = new Set(node?.inputs ?? []);
    for (const tensor of seen) {
      const part = this.parts.get(this.#byTensor.get(/:\d+$/.test(tensor) ? tensor : `${tensor}:0`) ?? "");
      if (part && counts(part)) found.add(part.id);
      if (!part) for (const next of this.#graph.get(nodeOf(tensor))?.inputs ?? []) seen.add(next); // a set grows while it is walked
    }
    return [...found];
  }

  // -- as nodes

  nodes() {
    return [...this.parts.values()].map((part) => this.#node(part));
  }

  /** A gradient has the shape, and the place in the text, of what it is the gradient of. @param {Part} part @returns {ApiNode} */
  #node({ id, kind, label, inputs, quantity, tensor }) {
    const like = this.parts.get(quantity ?? "")?.tensor ?? tensor ?? "";
    const behind = this.#graph.get(nodeOf(like));
    const output = behind?.outputs[Number(/:(\d+)$/.exec(like)?.[1] ?? 0)];
    return {
      ...{ name: id, op: kind === "constant" ? "Const" : "", inputs, control_inputs: [], attrs: {}, device: "" },
      ...{ phase: PHASES[kind], of: kind === "quantity" ? null : quantity, span: behind?.span ?? null },
      outputs: [output ?? { dtype: "float32", shape: [] }],
      value: kind === "constant" ? (behind?.value ?? null) : null,
      ...(kind !== "constant" && formOf(kind, label, output?.shape?.length ? 1 : inputs.length)),
    };
  }
}

/** How a part is drawn; a gradient in which several numbers meet has room for their sum. @param {Part["kind"]} kind @param {string} label @param {number} arrivals */
function formOf(kind, label, arrivals) {
  if (kind === "factor") return { form: /** @type {const} */ ("factor"), label, room: FACTOR_ROOM };
  const wide = kind === "gradient" && arrivals > 1 ? { room: roomForSum(arrivals) } : {};
  return { form: /** @type {const} */ ("quantity"), label, ...wide };
}

const FACTOR_ROOM = 48; // px: six digits
const DIGIT = 7.4; // px

/** @param {number} terms */
const roomForSum = (terms) => Math.ceil(sumRoom(terms) * DIGIT);

/** Characters of a sum that is written out: "0.9 + 0.54 = 1.44". @param {number} terms */
export const sumRoom = (terms) => (terms <= MOST_TERMS ? 7 * terms + 8 : 9);
export const MOST_TERMS = 3; // of a sum that is written out

/** @type {Record<Part["kind"], import("../../types.js").Phase>} */
const PHASES = {
  quantity: "forward",
  constant: "forward",
  gradient: "gradient",
  factor: "gradient",
  process: "process",
  update: "update",
};

/** @param {Part} part */
const isBackward = ({ kind }) => kind === "gradient" || kind === "process";

/** "exp(sin x) = y" of "y = exp(sin x)". @param {string} rule */
function quantityLabel(rule) {
  const at = rule.indexOf(" = ");
  return at < 0 ? rule : `${rule.slice(at + 3)} = ${rule.slice(0, at)}`;
}
