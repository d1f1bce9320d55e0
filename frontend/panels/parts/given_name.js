// The name that a learner gave a quantity.

import { learnersNames, nodeOf } from "../../state/lesson.js";
import { shownProgram } from "../../state/selectors.js";

/** @param {import("../../state/mathematics/picture.js").Part} part @returns {string | undefined} */
export const givenName = ({ kind, tensor }) =>
  kind === "quantity" && tensor && shownProgram.value ? learnersNames(shownProgram.value).get(nodeOf(tensor)) : undefined;
