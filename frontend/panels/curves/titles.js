// What runs are called: by optimizer, rate, and what else made their updates.

import { t } from "../../store.js";
import { formatNumber } from "../../values/format.js";

/** @import { KeptRun, Made } from "../../runs/kept.js" */

/** @param {Made} made */
function titleOf({ name, isOwn, rate, process, limit, schedule }) {
  return [
    isOwn ? t("optimizer.own", { name }) : name,
    ...(rate === null ? [] : [`η = ${formatNumber(rate)}`]),
    ...(process === "none" ? [] : [`${t(`optimizer.process_${process}`)} ${formatNumber(limit)}`]),
    ...(schedule === "none" ? [] : [schedule]),
  ].join(t("landscape.comma"));
}

/** All of them, where settings were changed on the way. @param {Pick<KeptRun, "made">} run */
export const runTitle = ({ made }) => made.map(titleOf).join(" → ");
