// The graph at level Mathematics: a box for each quantity that the learner wrote, and beneath it one for its gradient.
//
// It is a view of the program's graph, made of the steps of its lesson: nodes in the form that the layout takes, each
// with what is known of it. What a step multiplies by stands on the line between two gradients, as a factor. Of a loop
// there is a box for each turn that is saidAt.

import { learnersNames, nodeOf } from "../lesson.js";
import { nodesFor } from "./drawn.js";
import { constantId, factorId, gradientId, gradientsOfNode, processId, quantityId, updateId } from "./ids.js";

/** @import { ApiNode, Contribution, Program, Step } from "../../types.js" */
/**
 * What a box, or a factor, stands for.
 * @typedef {object} Part
 * @property {"quantity" | "gradient" | "factor" | "process" | "update" | "constant"} kind
 * @property {string} id
 * @property {string} label
 * @property {string} like              the tensor of TensorFlow that it has the shape of, "" for none
 * @property {string | null} tensor     that has its value; null where none has, or where it has another value in each turn of a loop
 * @property {string | null} quantity   id of the quantity that it is about
 * @property {string[]} inputs          ids of parts
 * @property {number[]} saidAt          steps that say something of it, in order; after the last it is known
 * @property {number} place             of a factor: which contribution of its step it is
 * @property {string[]} nodes           of TensorFlow, that compute it
 */
/** @typedef {{nodes: ApiNode[], parts: ReadonlyMap<string, Part>}} Picture */

/**
 * The picture of a lesson.
 * @param {Program} program whose graph it is a view of: in a run the one that the optimizer has grown
 * @param {readonly Step[]} steps @returns {Picture}
 */
export function pictureOf(program, steps) {
  const draft = new Draft(program, steps);
  for (const step of steps) draft.take(step);
  draft.addUpdates();
  return { nodes: nodesFor(draft.parts, draft.graph), parts: draft.parts };
}

/** Formulas of sums need brackets as a factor. @param {string} text */
function asFactor(text) {
  const outside = text.replace(/\([^()]*(?:\([^()]*\)[^()]*)*\)/g, "");
  return /[+−]/.test(outside) ? `(${text})` : text;
}

/** What a gradient is by: "sin x" of "∂y/∂(sin x)". @param {string} label */
function byWhat(label) {
  const below = label.slice(label.indexOf("/∂") + 2);
  return /^\(.*\)$/.test(below) ? below.slice(1, -1) : below;
}

const LONGEST_RULE = 24; // characters of what is done with a gradient, before it is called by its name alone
// Updates of a variable by a rate and a gradient, and nothing else.
const DESCENT_OPS = new Set(["ApplyGradientDescent", "ApplyKerasPlainSGD", "ApplyTorchPlainSGD"]);
const ONE = "1"; // the factor of what passes on unchanged

/** @param {Part} part */
const isBackward = ({ kind }) => kind === "gradient" || kind === "process";

class Draft {
  /** @type {Map<string, Part>} */
  parts = new Map();
  /** @type {Map<string, string>} id of the part that has a tensor's value; in a loop, the one of the last turn so far */
  #byTensor = new Map();
  /** @type {Map<string, string>} what learners call the tensors that gradients are by */
  #asked;

  /** @param {Program} program @param {readonly Step[]} steps */
  constructor(program, steps) {
    this.program = program;
    this.graph = new Map(program.graph.nodes.map((node) => [node.name, node]));
    this.names = learnersNames(program);
    this.hasTurns = steps.some(({ turns = [] }) => turns.length > 0);
    this.closing = new Map(
      steps.flatMap(({ phase, of, output, rule_text: label }) =>
        phase === "close" && of && output ? [[of, { tensor: output.tensor, label }]] : [],
      ),
    );
    this.#asked = new Map(
      steps.flatMap(({ contributions = [] }) => contributions.map(({ to, expression_text: text }) => [to, byWhat(text ?? "")])),
    );
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
      close: this.#close,
    }[/** @type {"forward"} */ (step.phase)];
    take?.call(this, step);
  }

  /** The part of this id, made where there is none yet. @param {string} id @param {Partial<Part> & Pick<Part, "kind" | "label">} more @returns {Part} */
  #part(id, more) {
    const known = this.parts.get(id);
    if (known) return known;
    const part = { ...{ id, like: "", tensor: null, quantity: null, inputs: [], saidAt: [], place: 0, nodes: [] }, ...more };
    this.parts.set(id, part);
    return part;
  }

  /** Note which tensor has a part's value: of a loop there is one for all turns. @param {Part} part @param {string | null | undefined} tensor @param {boolean} [isOfLoop] */
  #has(part, tensor, isOfLoop = false) {
    if (!tensor || part.tensor) return;
    if (!isOfLoop) part.tensor = tensor;
    if (!this.#byTensor.has(tensor)) this.#byTensor.set(tensor, part.id);
  }

  // -- forward

  /** @param {Step} step */
  #forward({ index, output, inputs = [], rule_text: rule, nodes = [], turns = [] }) {
    if (!output) return; // a turn begins, a branch is taken
    const sources = inputs.flatMap(({ tensor }) => this.#source(tensor) ?? []);
    const label = quantityLabel(rule ?? "");
    const id = this.parts.has(quantityId(output.tensor))
      ? `${quantityId(output.tensor)} ${nameIn(rule ?? "")}`
      : quantityId(output.tensor);
    const part = this.#part(id, { kind: "quantity", label, like: output.tensor, nodes });
    this.#has(part, output.tensor, turns.length > 0);
    this.#byTensor.set(output.tensor, id);
    part.saidAt.push(index);
    part.inputs = sources;
  }

  /** What an operation reads: a quantity, or an array that is given. @param {string} tensor */
  #source(tensor) {
    const known = this.#byTensor.get(tensor);
    if (known !== undefined) return known;
    const asked = this.#asked.get(tensor);
    if (asked !== undefined) return this.#given(tensor, asked).id;
    const node = this.graph.get(nodeOf(tensor));
    if (node?.op !== "Const" || !node.outputs[0]?.shape?.length) return null; // a number stands in the formula
    const label = this.names.get(node.name) ?? node.name;
    return this.#part(constantId(tensor), { kind: "constant", label, like: tensor, tensor, nodes: [node.name] }).id;
  }

  /** A quantity that no step computes, such as a constant that is differentiated by. @param {string} tensor @param {string} label */
  #given(tensor, label) {
    const part = this.#part(quantityId(tensor), { kind: "quantity", label, like: tensor, nodes: [nodeOf(tensor)] });
    this.#has(part, tensor);
    return part;
  }

  // -- backward

  /**
   * The gradient by a tensor. A tensor of a loop is another quantity in each turn, and called by another name.
   * @param {string} tensor @param {string} label
   */
  #gradient(tensor, label) {
    const id = gradientId(tensor);
    const first = this.parts.get(id);
    const own = !first || first.label === label ? id : `${id} ${byWhat(label)}`;
    const named = `${quantityId(tensor)} ${byWhat(label)}`;
    const quantity = this.parts.has(named) ? named : quantityId(tensor);
    if (!this.parts.has(quantity)) this.#given(tensor, byWhat(label));
    return this.#part(own, { kind: "gradient", label, like: tensor, quantity });
  }

  /** @param {Step} step */
  #seed({ index, of, output, rule_text: rule, nodes = [] }) {
    const y = [...this.parts.values()].findLast(({ kind, like }) => kind === "quantity" && nodeOf(like) === of);
    const part = this.#gradient(y?.like ?? `${of}:0`, rule ?? "");
    this.#has(part, output?.tensor);
    part.saidAt.push(index);
    part.nodes.push(...nodes);
  }

  /** @param {Step} step */
  #backward(step) {
    const { index, upstream, contributions = [], nodes = [] } = step;
    const latest = [...this.parts.values()].findLast(({ kind }) => kind === "gradient");
    for (const [place, one] of contributions.entries()) {
      const sources = this.#sources(one);
      for (const source of sources) if (sources.length === 1) this.#has(source, upstream?.tensor, this.hasTurns);
      const part = this.#gradient(one.to, one.expression_text ?? "");
      const end = this.closing.get(nodeOf(one.to));
      if (end && (end.label ?? part.label) === part.label) this.#has(part, end.tensor); // not of one value of a variable that has several
      if (contributions.length === 1) this.#has(part, step.output?.tensor, this.hasTurns);
      part.saidAt.push(index);
      part.nodes.push(...nodes);
      part.inputs.push(...this.#ways(step, place, sources.length === 0 && latest && latest !== part ? [latest] : sources));
      this.#drawOften(one, contributions);
    }
  }

  /** The gradients that arrive at an operation: of its result, in the turn that is meant, or of its several results. @param {Contribution} one */
  #sources({ from, upstream_text: name }) {
    const exact = this.parts.get(gradientId(from));
    const turn = name ? this.parts.get(`${gradientId(from)} ${byWhat(name)}`) : undefined;
    if (exact || turn) return [turn ?? /** @type {Part} */ (exact)];
    return [...this.parts.values()].filter(({ id }) => id.startsWith(gradientsOfNode(from)));
  }

  /** The ways on which a contribution comes: through its factor, where that says more than that it is passed on. @param {Step} step @param {number} place @param {Part[]} sources */
  #ways({ index, contributions = [], nodes = [] }, place, sources) {
    const { to, from, factor, factor_text: text } = contributions[place];
    const ids = sources.map(({ id }) => id);
    if (!text || text === ONE) return ids;
    const first = factorId(place, from, to);
    const id = this.parts.has(first) ? `${first} at ${index}` : first;
    const label = factor === null ? text : `× ${asFactor(text)}`; // what is done with an array is written out: "Aᵀ ·"
    this.#part(id, { kind: "factor", label, like: to, inputs: ids, saidAt: [index], place, nodes });
    return [id];
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
    part.tensor = null; // until now that of one of its terms
    this.#has(part, output?.tensor, this.hasTurns && !this.closing.has(nodeOf(first.to)));
    part.saidAt.push(index);
    part.nodes.push(...nodes);
    // of a variable that is written on the way, what came back to each of its values
    for (const one of contributions) if (one.upstream_text) part.inputs.push(...this.#sources(one).map(({ id }) => id));
  }

  /** A gradient that is None has a box of its own, to which nothing leads. @param {Step} step */
  #close({ index, of, output, rule_text: rule }) {
    const isThere = [...this.parts.values()].some(({ kind, like }) => kind === "gradient" && nodeOf(like) === of);
    if (!isThere && of && output?.value === null) this.#gradient(output.tensor, rule ?? "").saidAt.push(index);
  }

  // -- what is made of the gradients

  /** @param {Step} step */
  #process({ index, node, output, rule_text: rule, nodes = [] }) {
    const formula = rule?.slice(rule.indexOf(" = ") < 0 ? 0 : rule.indexOf(" = ") + 3) ?? "";
    const inputs = this.#behind(this.graph.get(node));
    const what = inputs.map((id) => this.parts.get(id)?.label).join(", ");
    const label = formula && formula.length <= LONGEST_RULE ? formula : `${node.slice(node.lastIndexOf("/") + 1)}(${what})`;
    const like = output?.tensor ?? "";
    const part = this.#part(processId(node), { kind: "process", label, like, saidAt: [index], nodes, inputs });
    this.#has(part, output?.tensor);
  }

  /** @param {Step} step */
  #update({ index, node, of, rule_text: rule }) {
    const variable = this.parts.get(quantityId(`${of}:0`));
    const found = this.graph.get(node);
    const isPlain = DESCENT_OPS.has(found?.op ?? ""); // others have a formula of several lines
    if (found && variable) this.#addUpdate(found, variable, isPlain ? withoutRate(rule) : null, [index]);
  }

  /** The updates of a run, which are not in the program's own lesson. */
  addUpdates() {
    for (const { x } of this.program.gradients) {
      const variable = this.parts.get(quantityId(x));
      const node = this.program.graph.nodes.find(({ op, inputs }) => /Apply/.test(op) && nodeOf(inputs[0] ?? "") === nodeOf(x));
      if (variable && node) this.#addUpdate(node, variable, null, []);
    }
  }

  /** @param {ApiNode} node @param {Part} variable @param {string | null | undefined} rule @param {number[]} saidAt */
  #addUpdate(node, variable, rule, saidAt) {
    const method = node.op.replace(/^.*Apply/, "").replace(/^(Keras|Torch)(Plain)?/, "");
    const label = rule && rule.length <= LONGEST_RULE ? rule : `${variable.label} ← ${method}`;
    const behind = this.#behind(node);
    const own = this.parts.get(gradientId(variable.like)); // a run may have asked for the same gradient once more
    const inputs = behind.length === 0 && own ? [own.id] : behind;
    this.#part(updateId(node.name), {
      ...{ kind: "update", label, like: variable.like, quantity: variable.id, inputs, saidAt },
      ...{ tensor: `${node.name}:0`, nodes: [node.name] },
    });
  }

  /** The gradients nearest behind a node of TensorFlow, as far as the graph leads back. @param {ApiNode | undefined} node */
  #behind(node) {
    /** @type {Set<string>} */
    const found = new Set();
    const seen = new Set(node?.inputs ?? []);
    for (const tensor of seen) {
      const part = this.parts.get(this.#byTensor.get(/:\d+$/.test(tensor) ? tensor : `${tensor}:0`) ?? "");
      if (part && isBackward(part)) found.add(part.id);
      if (!part) for (const next of this.graph.get(nodeOf(tensor))?.inputs ?? []) seen.add(next); // a set grows while it is walked
    }
    return [...found];
  }
}

/** "w ← w − η · ∂L/∂w": the rate of the lesson's update need not be that of the update that is shown. @param {string | null | undefined} rule */
const withoutRate = (rule) => rule?.replace(/ − \S+ · /, " − η · ");

/** What a quantity is called: "y" of "y = exp(sin x)". @param {string} rule */
const nameIn = (rule) => rule.split(" = ")[0];

/** "exp(sin x) = y" of "y = exp(sin x)". @param {string} rule */
function quantityLabel(rule) {
  const at = rule.indexOf(" = ");
  return at < 0 ? rule : `${rule.slice(at + 3)} = ${rule.slice(0, at)}`;
}
