// What the server answers and is asked, with the field names of the OpenAPI page. Types only.

/**
 * A scalar or nested lists; "nan", "inf", "-inf" for what JSON lacks.
 * @typedef {number | boolean | string | null | unknown[]} Data
 */
/** @typedef {{dtype: string, shape: number[], data: Data, summary?: Record<string, unknown>}} TensorValue */
/** @typedef {TensorValue | number | string | boolean | null} Value */
/** @typedef {{line: number, column: number, end_line: number, end_column: number}} Span */
/** @typedef {"forward" | "gradient" | "process" | "update" | "after"} Phase */
/** @typedef {"mathematics" | "tensorflow" | "torch" | "jax"} Level  what a step, and a box of the picture, stands for: an operation that the learner wrote, or a node */
/**
 * @typedef {object} ApiNode
 * @property {string} name
 * @property {string} op
 * @property {string[]} inputs
 * @property {string[]} control_inputs
 * @property {Record<string, unknown>} attrs
 * @property {string} device
 * @property {Phase} phase
 * @property {string | null} of
 * @property {Span | null} span
 * @property {{dtype: string, shape: (number | null)[] | null, value?: Value}[]} outputs
 * @property {Value} value
 * @property {"quantity" | "factor"} [form]  of a part of the picture at level Mathematics, which is no node of the server's; so are the following
 * @property {string} [label]
 * @property {number} [room]
 */
/**
 * @typedef {object} Diagnostic
 * @property {"error" | "warning" | "note"} severity
 * @property {string} code
 * @property {string} message
 * @property {string} [message_zh]
 * @property {string} [hint]
 * @property {string} [hint_zh]
 * @property {number | null} line
 * @property {number | null} column
 * @property {number | null} end_line
 * @property {number | null} end_column
 * @property {number} [rate]  a learning rate to try
 * @property {Span & {text: string} | null} [fix]  a place in the text, and what to write there
 * @property {string | null} [replacement]  the whole text, written so that it is read the other way
 */
/**
 * @typedef {object} Binding
 * @property {string} [name]
 * @property {string} kind
 * @property {string | null} [tensor]
 * @property {Value} [value]
 * @property {Binding[]} [items]
 * @property {[Binding, Binding][]} [entries]
 */
/**
 * @typedef {object} Gradient
 * @property {string} y
 * @property {string} x
 * @property {string} name
 * @property {string | null} tensor       null where no path joins x to y
 * @property {Value} value
 * @property {string | null} reason
 * @property {string | null} [reason_zh]
 */
/** @typedef {{edges: number, control_edges: number, scopes: number, phases: Record<string, number>, variables: number, parameters: number, kinds: number, ops: {op: string, count: number}[]}} Statistics  of a graph from a file */
/**
 * What can be computed of a graph from a file: values by tensor, and what has none.
 * @typedef {{values: Record<string, Value>, variables: Record<string, "given" | "initial" | "none">, unfed: string[], diagnostics: Diagnostic[]}} ImportedValues
 */
/** @typedef {{runs: number, kept: readonly {index: number, nodes: Record<string, Value>}[]}} Session  the runs of a program, and what the answer keeps of them */
/**
 * @typedef {object} Program
 * @property {string} [id]
 * @property {string} [imported]  of a graph from a file, the id that the server has it by
 * @property {Statistics & {format: string}} [file]  what that file is, and what the graph consists of
 * @property {string} dialect
 * @property {"ok" | "error" | "limit" | "refused"} status
 * @property {string[]} printed
 * @property {readonly Figure[]} [figures]  that the program drew, in the order in which they were shown
 * @property {Question[]} [inputs]  the calls of `input()`
 * @property {Binding[]} bindings
 * @property {string | null} target
 * @property {Gradient[]} gradients
 * @property {{nodes: ApiNode[]}} graph
 * @property {readonly Session[]} [sessions]
 * @property {Diagnostic[]} diagnostics
 * @property {Binding | null} result
 */
/**
 * What one operation sends back to one of its inputs.
 * @typedef {object} Contribution
 * @property {string} from
 * @property {string} to
 * @property {string} expression  LaTeX
 * @property {string | null} [expression_text]
 * @property {string | null} [upstream_text]  what arrived, in words; the same tensor of a loop has another name in each turn
 * @property {string | null} factor
 * @property {string | null} [factor_text]  its text, or what else is done with an array: "Aᵀ ·"
 * @property {Value} upstream
 * @property {Value} local
 * @property {Value} value
 */
/**
 * A step of a lesson. At level Mathematics it stands for one operation of the learner's, and `nodes` for it in the graph.
 * @typedef {object} Step
 * @property {number} index
 * @property {Phase | "seed" | "backward" | "sum" | "close"} phase  the last four at level Mathematics
 * @property {string} node
 * @property {string | null} of
 * @property {{en: string, zh: string}} sentence
 * @property {string | null} rule
 * @property {string | null} rule_numbers
 * @property {{tensor: string, value: Value} | null} output  null of a step that computes nothing: a turn of a loop begins
 * @property {{tensor: string, value: Value} | null} upstream
 * @property {{input: string, value: Value}[]} [local]  the derivatives by the inputs, where the server knows them
 * @property {StepQuestion | null} [question]
 * @property {string | null} [rule_text]  the rule as a line of text
 * @property {string | null} [result]     LaTeX
 * @property {string[]} [nodes]
 * @property {{tensor: string, value: Value}[]} [inputs]
 * @property {Contribution[]} [contributions]
 * @property {number[]} [turns]  of a loop, that a step stands in
 * @property {{step: number, predicted: number, measured: number} | null} [tried]  of a closing step: y with one number of x raised
 */
/**
 * What is asked before a step is shown.
 * @typedef {object} StepQuestion
 * @property {"number" | "sign" | "formula" | "node" | "ending"} kind
 * @property {Bilingual | null} prompt   null: what comes next
 * @property {Value} answer              of a formula its LaTeX; of a sign "+", "-" or "0"; "converge", "oscillate" or "diverge"
 * @property {string} [answer_text]      of a formula, as a line of text
 * @property {Value[]} [also_right]
 * @property {WrongWay[]} choices
 */
/** @typedef {{id: string, value: Value, value_text?: string, why: Bilingual, coincides?: boolean}} WrongWay  an answer that a misconception leads to */
/** @typedef {{source: string, dialect: string, at: Record<string, unknown>, inputs?: readonly string[], wrt?: readonly string[], feeds?: object, data?: object, seed?: number}} ProgramRequest */
/**
 * @typedef {object} RunRequest
 * @property {ProgramRequest} program
 * @property {Record<string, unknown>} [optimizer]
 * @property {number} steps
 * @property {Record<string, unknown>[]} process
 * @property {Record<string, unknown>} [schedule]
 * @property {Record<string, unknown>} [start]
 * @property {Record<string, Record<string, unknown>>} [slots]
 */
/**
 * The columns of some rows of a run.
 * @typedef {object} RunColumns
 * @property {number[]} steps
 * @property {Data[]} loss
 * @property {Record<string, Data[]>} variables
 * @property {Record<string, Data[]>} gradients
 * @property {Record<string, Data[]>} processed
 * @property {Record<string, Record<string, Data[]>>} slots  the optimizer's state of each variable
 * @property {Record<string, Data[]>} shared  what all variables share of it, and step counts
 * @property {Record<string, Data[]>} nodes
 */
/** @typedef {{type: "header", id: string, program: Program, rows: number}} RunHeader */
/** @typedef {{type: "chunk"} & RunColumns} RunChunk */
/** @typedef {{prompt: string, text: string | null, line: number | null, column: number | null}} Question */
/** @typedef {{line: number | null, steps: number, runs: number, printed: string[], elapsed_ms: number}} ProgramProgress */
/** @typedef {{type: "footer", status: string, stopped_at: Stop | null, diagnostics: Diagnostic[]}} RunFooter */
/**
 * A run as far as its rows have come; not the server's, but made of its lines.
 * @typedef {RunColumns & {
 *   program: Program, parts: {id: string, first: number, rate: number | null, optimizer: string, parameters: import("./runs/optimizers.js").Chosen, settings: import("./runs/optimizers.js").OptimizerSettings, slots?: RunColumns["slots"]}[],
 *   status: string, stopped_at: Stop | null, diagnostics: Diagnostic[]}} Run
 *   program: grown by the optimizer; parts: the server's runs, each with the row that it begins with, its optimizer with what was chosen for it, all settings, and the slots at that row;
 *   status: the server's, or "running" or "cancelled"; stopped_at: where and why it ended or came to rest
 */
/** @typedef {{variable: string, gradient: string | null, processed: string | null, slots: Record<string, string>}} PairTensors  by name */
/** @typedef {{step: number, nodes: Record<string, Value>, pairs: Record<string, PairTensors>}} RunStep  every tensor at one step */
/** @typedef {{step: number, node?: string | null, reason?: string, reason_zh?: string, hint?: string, hint_zh?: string, smaller_rate?: boolean}} Stop */
/** @typedef {{en: string, zh: string}} Bilingual */
/**
 * @typedef {object} Example
 * @property {string} id
 * @property {string} dialect
 * @property {string} source
 * @property {Record<string, number>} [at]
 * @property {Bilingual} title
 * @property {Bilingual} teaches
 * @property {boolean} core
 * @property {Bilingual} goal
 * @property {Bilingual[]} prompts
 * @property {{question: Bilingual, answer: Bilingual, trap: Bilingual}} ask
 * @property {{question: Bilingual, answer: Bilingual}} closing
 * @property {Command[]} start
 * @property {{label: Bilingual, do: Command[]}[]} actions
 * @property {{id: string, source: string, at: Record<string, number>}[]} texts
 * @property {{dialect: "torch" | "jax", source: string}[]} forms  the same example for other frameworks
 * @property {{id: string, title: Bilingual}[]} next
 */
/** @typedef {{nodes: ApiNode[], target: string | null, names: Record<string, string>}} FrameworkGraph  of a program as a framework builds it; names: what the program calls its nodes */
/**
 * One thing that a program drew with matplotlib; columns of numbers, null where there is none.
 * @typedef {object} Series
 * @property {"line" | "points" | "bars" | "area" | "image" | "contour" | "level" | "text"} kind
 * @property {string} label
 * @property {readonly (number | null)[]} [x]
 * @property {readonly (number | null)[]} [y]
 * @property {readonly (number | null)[]} [base]   of bars and areas
 * @property {readonly (number | null)[]} [value]  of points, that decides their colour
 * @property {readonly (number | null)[]} [levels] of contours
 * @property {readonly (number | null)[]} [tip]    of words, where their arrow points
 * @property {readonly (readonly (number | null)[])[]} [z]
 * @property {readonly number[]} [extent]          of an image: left, right, bottom, top
 * @property {readonly (number | null)[]} [ends]   of a scale of colours
 * @property {boolean} [by_share]                  of words: their place is a share of the axes
 * @property {number} [from]                       of a line across: where it begins, as a share
 * @property {number} [to]
 * @property {readonly string[]} [categories]
 * @property {readonly string[]} [words]
 * @property {number | string} [colour]            its number in the cycle, or a colour of CSS
 * @property {string} [dash]
 * @property {string} [marker]
 * @property {number} [width]
 * @property {number | readonly (number | null)[]} [size]
 * @property {number} [opacity]
 * @property {number} [thick]                      of bars
 * @property {boolean} [lying]
 * @property {boolean} [filled]
 * @property {number} count                        points that the program drew
 * @property {number} every                        of which each so many-th is here
 */
/** @typedef {{at: readonly number[], labels: readonly string[] | null}} Ticks */
/** @typedef {{row: number, column: number, title: string, x_label: string, y_label: string, x_scale: string, y_scale: string, x_limits: readonly (number | null)[], y_limits: readonly (number | null)[], x_ticks: Ticks | null, y_ticks: Ticks | null, grid: boolean, legend: boolean, frame: boolean, upside_down: boolean, equal: boolean, series: readonly Series[], left_out: number}} FigureAxes */
/** @typedef {{after: number, title: string, rows: number, columns: number, axes: readonly FigureAxes[]}} Figure  after: how many lines were printed before it */
/** @typedef {{kind: "value" | "gradient" | "factor", text: string, left: string[], right: string[]}} PairedQuantity  the nodes of two pictures that show it */
/** @typedef {{kind: string, sentence: {en: string, zh: string}, left: string[], right: string[]}} Difference  between two pictures, and the nodes that it is about */
/** @typedef {{op: string, title: {en: string, zh: string}, left: string, right: string, here: boolean}} Corner  a point where the two take another slope */
/** @typedef {{left: Level, right: Level, quantities: PairedQuantity[], differences: Difference[], corners: Corner[]}} SideBySide */
/**
 * One change of the page that an example asks for.
 * @typedef {object} Command
 * @property {string} [text]
 * @property {Record<string, number>} [value]
 * @property {string[]} [wrt]
 * @property {{name: string} & Record<string, unknown>} [optimizer]
 * @property {number} [rate]
 * @property {Record<string, number> | null} [process]
 * @property {number} [updates]
 * @property {true} [reset]
 * @property {"first" | "backward" | "last"} [step]
 * @property {"optimizer" | "curves" | "output" | "table" | "outline" | "landscape" | "race" | "ops" | "none"} [dock]
 * @property {"mathematics" | "tensorflow"} [level]
 * @property {import("./state/race.js").RaceSettings} [race]
 */
/** @typedef {{id: string, title: Bilingual, items: string[]}} Group */
/** @typedef {{id: string, title: Bilingual, minutes: number, stops: {item: string, do: Bilingual}[]}} ReadyLesson */
/** @typedef {{examples: Example[], groups: Group[], lessons: ReadyLesson[]}} Course */
/** @typedef {{width: number, height: number, marks: [kind: string, x: number, y: number, width: number, height: number][], lines: [kind: string, path: string][]}} Thumbnail */
/**
 * An optimizer or a schedule of the catalogue.
 * @typedef {object} OptimizerDoc
 * @property {string} name
 * @property {string[]} latex
 * @property {Bilingual} doc
 * @property {{name: string, default: unknown, doc: Bilingual}[]} hyper_parameters
 * @property {string} [family]
 */
/** @typedef {{optimizers: OptimizerDoc[], schedules: OptimizerDoc[]}} OptimizerCatalogue */
/**
 * @typedef {object} OpDoc
 * @property {string} name
 * @property {string[]} inputs
 * @property {string} latex
 * @property {string[]} adjoints
 * @property {string} no_gradient   why it has none; "" where it has one
 * @property {string} no_gradient_zh
 * @property {string} doc
 * @property {string} doc_zh
 * @property {string[]} derivative    of the output by each input
 * @property {string[]} derivative_zh
 * @property {Record<string, unknown>} attributes  with their defaults
 * @property {Bilingual | null} kink  where it has a corner
 * @property {Record<string, string>} names  elsewhere, by framework
 * @property {string[]} related
 */
/**
 * @typedef {object} Problem
 * @property {number} [status]
 * @property {string} [code]
 * @property {string} [detail]
 * @property {string} [message_zh]
 * @property {string} [hint]
 * @property {string} [hint_zh]
 */
/**
 * @typedef {{level?: Level, steps: Step[], values: Record<string, Value>, reason?: Bilingual | null}} Lesson
 * `values`: of the nodes that have another one in the run that the lesson is about than in the program's answer
 */
/**
 * Difference quotients over δ in one float type, their errors, and how many runs one δ takes.
 * @typedef {object} Sweep
 * @property {number[]} delta
 * @property {Value[]} forward
 * @property {Value[]} central
 * @property {Value[]} complex_step  none where an op has no complex form
 * @property {Record<string, Value[]>} errors
 * @property {Record<string, number>} evaluations
 */
/** @typedef {{by: string, verdict: "right" | "wrong" | "refused", latex: string | null, says: Bilingual, misconception: string | null}} Judgement */
/**
 * @typedef {object} Comparison
 * @property {Record<string, Value>} at
 * @property {{name: string, index: number[]}} component
 * @property {{value: Value | Record<string, Value>, evaluations: number, nodes: number}} automatic
 * @property {{value: Value | Record<string, Value>, latex: string | null, size: number | null, size_naive: number | null, derivatives?: Record<string, string>}} symbolic
 * @property {{float32: Sweep, float64: Sweep}} numeric
 * @property {Bilingual} verdict
 * @property {Judgement} [judgement]  of a learner's own derivative
 */
/** @typedef {{equal: boolean | null, absolute: Value, relative: Value, reason: Bilingual | null}} Gap  null: not known */
/** @typedef {{before: string | null, after: string | null}} OnBothSides */
/** @typedef {{before: string, after: string, changes: {kind: string, name: string | null, before: unknown, after: unknown}[]}} ChangedNode */
/** @typedef {ApiNode & {difference: "same" | "following" | "changed" | "added" | "removed", was: string | null, removed_inputs: string[]}} MarkedNode */
/** @typedef {Gap & {name: OnBothSides, x: OnBothSides, y: OnBothSides, tensor: OnBothSides, value: {before: Value, after: Value}}} GradientGap */
/**
 * What differs between two programs or graphs.
 * @typedef {object} Differences
 * @property {{id: string, kind: "program" | "graph", target: string | null, nodes: number}} after
 * @property {boolean} equal
 * @property {{structure: boolean, target: boolean | null, gradients: boolean | null, printed: boolean | null}} verdict
 * @property {Bilingual} says
 * @property {{relative: number, absolute: number}} tolerance
 * @property {Record<string, number>} counts
 * @property {ChangedNode[]} changed
 * @property {{before: string, after: string}[]} renamed
 * @property {(Gap & {tensor: OnBothSides, value: {before: Value, after: Value}}) | null} target
 * @property {GradientGap[]} gradients
 * @property {{equal: boolean, first_difference: {line: number, before: string | null, after: string | null} | null} | null} printed
 * @property {{nodes: MarkedNode[]}} graph  of after, with what is gone
 */
/** @typedef {{tensor: string, expression: string, expression_text: string}} Quantity */
/** @typedef {{quantities: Quantity[], factors: {formula: string | null, formula_text: string | null, value: Value}[], product: Value, sum: Value}} Path */
/**
 * @typedef {{y: string | null, x: string | null, count: number, paths: Path[], gradient: Value, naive: Value,
 *   visits: {naive: number | null, reverse: number} | null, reason: Bilingual | null}} Paths
 */
/** @typedef {{program: Program, lesson: Lesson, source: string, at: Record<string, number>}} DefaultExample */

export {};
