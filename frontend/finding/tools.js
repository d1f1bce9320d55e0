// What is computed of the graph only where the learner asks for it: fetched then, all together.

export { coloursOf } from "./colours.js";
export { pathsBetween, pathsPastFactors } from "./paths.js";
export { traced } from "./trace.js";
