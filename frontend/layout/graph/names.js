// Names: "gradients/Exp_grad/mul:0" is the first output of a node that stands in the scope "gradients/Exp_grad".

/** What the outermost names stand in. */
export const ROOT = "";

/** The scope that a name stands in. @param {string} name */
export const enclosing = (name) => name.slice(0, Math.max(0, name.lastIndexOf("/")));

/** The last part of a name. @param {string} name */
export const leaf = (name) => name.slice(name.lastIndexOf("/") + 1);

/** The node that a tensor or a control input comes from. @param {string} tensor "Split:1" */
export const nodeOf = (tensor) => tensor.replace(/:\d+$/, "");

/** The output that a tensor is. @param {string} tensor */
export const outputOf = (tensor) => Number(/:(\d+)$/.exec(tensor)?.[1] ?? 0);
