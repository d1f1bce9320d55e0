// The words of the layout: what goes in, what comes out. Types only.

/**
 * A node as the REST contract gives it; the layout reads these fields.
 * @typedef {object} ApiNode
 * @property {string} name
 * @property {string} op
 * @property {ReadonlyArray<string>} inputs            "name" or "name:1"
 * @property {ReadonlyArray<string>} control_inputs    names
 * @property {string} phase                            forward | gradient | process | update | after
 * @property {string | null} [of]                      the forward node whose rule made a gradient node
 * @property {ReadonlyArray<{dtype: string, shape: ReadonlyArray<number | null> | null}>} outputs
 * @property {unknown} [value]                         of output 0
 * @property {boolean} [stub]                          not of the part that is drawn: a flag at each of its readers
 * @property {"quantity" | "factor"} [form]            of a node that stands for what a learner wrote, or for what a line multiplies by
 * @property {string} [label]                          what is written on it, where that is not its name
 * @property {number} [room]                           px for its value, where it wants more than others
 */

/**
 * One derivative that the program asked for.
 * @typedef {object} ApiGradient
 * @property {string} y                tensor name
 * @property {string} x                tensor name
 * @property {string} [name]           the learner's name of x
 * @property {string | null} tensor    null: no path joins x to y
 */

/**
 * What to draw: a new frozen object only when the graph or the set of open scopes changes.
 * @typedef {object} GraphModel
 * @property {ReadonlyArray<ApiNode>} nodes
 * @property {string | null} target                     tensor name, "Exp:0"
 * @property {ReadonlyMap<string, string>} names        node name -> the learner's own name
 * @property {ReadonlySet<string>} open                 open scopes, full names
 * @property {boolean} [merged]                         one lane for everything, as TensorBoard has it
 * @property {import("./scene/moved.js").Moves} [moved]       how far items were moved by hand; the layout knows nothing of it
 * @property {Direction} [direction]                    in which the forward graph runs; to the right where not given
 * @property {import("../geometry/viewport.js").Size} [room]  px that can be read on screen at once: what opens is broken into rows so long
 * @property {ReadonlyArray<ApiGradient>} [gradients]   where given, each ends in a tag "dy/dx" under its x
 */

/** @typedef {"forward" | "gradient" | "process" | "update"} Phase */
/** @typedef {"data" | "borrowed" | "control" | "reference"} EdgeKind borrowed: a forward tensor read by a gradient rule */
/** @typedef {"right" | "down" | "up"} Direction */
/** @typedef {"left" | "right" | "top" | "bottom"} Side of a shape in a grid whose flow runs to the right */
/** @typedef {{readonly x: number, readonly y: number}} Point */

/**
 * A constant, drawn at its consumer; at a scope all that look alike, and of very many all.
 * @typedef {object} Constant
 * @property {string[]} names
 * @property {string} label   its value, or its name and shape; "2 … 39 ×38" of many
 * @property {number} x       top-left corner of its pill; relative to the item's centre until placed
 * @property {number} y
 * @property {number} width
 * @property {number} height
 */

/**
 * One drawn thing: an op, a scope (open or closed), or a tag that names a result.
 * @typedef {object} Item
 * @property {string} id          the op's name, the scope's name + "/", or "y:" / "d:" + tensor for tags
 * @property {string} name        node or scope name (tags: of the node whose tensor they name)
 * @property {"op" | "scope" | "tag" | "quantity" | "factor"} kind  a factor stands on a line, without an outline
 * @property {string} title       what it is, in full
 * @property {string} label       as much of the name as is drawn
 * @property {string} detail      op type, or how many nodes a scope holds
 * @property {Phase} phase
 * @property {boolean} valued     room for a value is kept
 * @property {boolean} open
 * @property {number} titleX      of an open scope: where its title stands, from its left
 * @property {string} parent      id of the open scope that holds it, or ROOT
 * @property {number} index       program position of its first node
 * @property {Constant[]} constants
 * @property {ReadonlyArray<string> | null} holds  of a closed series: the names of what stands in it
 * @property {number} x           top-left corner
 * @property {number} y
 * @property {number} width
 * @property {number} height
 */

/**
 * @typedef {object} Edge
 * @property {string} id
 * @property {EdgeKind} kind
 * @property {Phase} phase        of its consumer
 * @property {string} from        id of the drawn source
 * @property {string} to          id of the drawn consumer
 * @property {ReadonlyArray<Point>} points
 * @property {boolean} head       an arrow head at the consumer (a piece that stops at a scope's border has none)
 * @property {boolean} tail       an arrow head at the start: the variable that a reference edge writes
 * @property {number} count       how many edges of the graph this line stands for
 * @property {number} width       px
 * @property {string} title       "Sin → Exp, float32 [4, 3]"
 * @property {EdgeLabel | null} label
 */

/** @typedef {{text: string, x: number, y: number, anchor: "start" | "middle" | "end"}} EdgeLabel */

/**
 * The lane of a gradient call or an optimizer: its scope, drawn as a band across the picture.
 * @typedef {object} Band
 * @property {string} name
 * @property {Phase} phase
 * @property {number} titleX      where its title stands, from its left
 * @property {number} [part]      of a picture in rows: 0 for the piece with the title, more for its others
 * @property {number} x @property {number} y @property {number} width @property {number} height
 */

/** @typedef {{x1: number, y1: number, x2: number, y2: number, from: string, to: string}} Ribbon joins an op to its gradient */

/**
 * @typedef {object} Scene
 * @property {ReadonlyArray<Item>} items    open scopes before what they hold
 * @property {ReadonlyArray<Edge>} edges
 * @property {ReadonlyArray<Band>} bands
 * @property {ReadonlyArray<Ribbon>} ribbons
 * @property {Direction} direction
 * @property {{readonly x: number, readonly y: number, readonly width: number, readonly height: number}} page  around all
 * @property {ReadonlyArray<number>} [breaks]  where it is in rows: which of its columns begin another one
 */

/**
 * What a scope stands for where it was made of what repeats.
 * @typedef {object} Series
 * @property {number} count    how many times it comes; 1 for a stretch of things that differ
 * @property {string} label    "dense ×20", "MatMul … Tanh ×20", "opa0 … opz25"
 * @property {ReadonlyArray<string>} holds  the names of what stands directly in it
 */

/**
 * A scope or series of the tree of a graph's names.
 * @typedef {object} Scope
 * @property {string} name
 * @property {string} id                of the item that shows it: the name and "/"
 * @property {string} parent            name of the scope or series around it, or ROOT
 * @property {Scope | null} up          the same; null for ROOT
 * @property {number[]} members         indices of all nodes inside, in program order
 * @property {Series | null} series
 * @property {number} number            place among the tree's scopes
 * @property {Scope[]} inner            the scopes and series directly inside
 * @property {number[]} own             the nodes directly inside
 */

export {};
