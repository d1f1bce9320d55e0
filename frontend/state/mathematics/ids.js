// What the parts of a picture at level Mathematics are called among themselves, after TensorFlow's tensors.

/** A name without scopes, of which there are none at this level, and none that is taken for a tensor's. @param {string} tensor "Exp:0" */
const flat = (tensor) =>
  tensor
    .replace(/:0$/, "")
    .replace(/:(\d+)$/, ".$1")
    .replaceAll("/", "∕");

/** @param {string} tensor */
export const quantityId = (tensor) => `value of ${flat(tensor)}`;

/** @param {string} tensor whose gradient it is */
export const gradientId = (tensor) => `gradient of ${flat(tensor)}`;

/** The gradients of a node's several results begin with this. @param {string} tensor one of them */
export const gradientsOfNode = (tensor) => `${gradientId(tensor.replace(/:\d+$/, ""))}.`;

/** @param {number} place of its contribution in the step @param {string} from @param {string} to */
export const factorId = (place, from, to) => `factor ${place} into ${flat(to)} from ${flat(from)}`;

/** @param {string} tensor */
export const constantId = (tensor) => `constant ${flat(tensor)}`;

/** @param {string} node */
export const processId = (node) => `process ${flat(node)}`;

/** @param {string} node */
export const updateId = (node) => `update ${flat(node)}`;
