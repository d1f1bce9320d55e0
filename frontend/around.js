// What stands around the graph, in the order in which it is missed; each has its room before it comes.

import "./panels/header.js";
import "./panels/lesson/transport.js";
import "./panels/input/input.js";
import "./panels/lesson/step.js";
import "./panels/tabs.js";
import "./panels/graph/graph_bar.js";
import "./panels/dock/dock.js";
import "./panels/lesson/narration.js";
import "./panels/page_keys.js";

export { keepAddress } from "./browser/events.js";
export { followLevel } from "./requests/lesson/levels.js";
export { followRow } from "./requests/row_values.js";
