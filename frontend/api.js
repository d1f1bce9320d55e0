// The only module that talks to the server.
//
// Every function returns the body as `/api/v1` wrote it; the typedefs below are that contract's
// shapes, with the field names of the OpenAPI page. A failed request throws ApiError.

/**
 * A scalar or nested lists; "nan", "inf", "-inf" for what JSON lacks.
 * @typedef {number | boolean | string | null | unknown[]} Data
 */
/** @typedef {{dtype: string, shape: number[], data: Data, summary?: Record<string, unknown>}} TensorValue */
/** @typedef {TensorValue | number | string | boolean | null} Value */
/** @typedef {{line: number, column: number, end_line: number, end_column: number}} Span */
/** @typedef {"forward" | "gradient" | "process" | "update" | "after"} Phase */
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
/**
 * @typedef {object} Program
 * @property {string} [id]
 * @property {string} dialect
 * @property {"ok" | "error" | "limit" | "refused"} status
 * @property {string[]} printed
 * @property {Binding[]} bindings
 * @property {string | null} target
 * @property {Gradient[]} gradients
 * @property {{nodes: ApiNode[]}} graph
 * @property {Diagnostic[]} diagnostics
 * @property {Binding | null} result
 */
/**
 * @typedef {object} Step
 * @property {number} index
 * @property {Phase} phase
 * @property {string} node
 * @property {string | null} of
 * @property {{en: string, zh: string}} sentence
 * @property {string | null} rule
 * @property {string | null} rule_numbers
 * @property {{tensor: string, value: Value}} output
 * @property {{tensor: string, value: Value} | null} upstream
 * @property {{input: string, value: Value}[]} [local]  the derivatives by the inputs, where the server knows them
 */
/** @typedef {{source: string, dialect: string, at: Record<string, unknown>}} ProgramRequest */
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
/** @typedef {{type: "footer", status: string, stopped_at: Stop | null, diagnostics: Diagnostic[]}} RunFooter */
/**
 * A run as far as its rows have come; not the server's, but made of its lines.
 * @typedef {RunColumns & {
 *   program: Program, parts: {id: string, first: number, rate: number | null, optimizer: string, parameters: import("./optimizers.js").Chosen, slots?: RunColumns["slots"]}[],
 *   status: string, stopped_at: Stop | null, diagnostics: Diagnostic[]}} Run
 *   program: grown by the optimizer; parts: the server's runs, each with the row that it begins with, its optimizer with what was chosen for it, and the slots at that row;
 *   status: the server's, or "running" or "cancelled"; stopped_at: where and why it ended or came to rest
 */
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
 */
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
 * @typedef {{steps: Step[], values: Record<string, Value>}} Lesson
 * `values`: of the nodes that have another one in the run that is told than in the program's answer
 */
/** @typedef {{program: Program, lesson: Lesson, source: string, at: Record<string, number>}} DefaultExample */

/** A request that failed: `problem` is the server's problem document, or null when nothing answered. */
export class ApiError extends Error {
  /** @param {Problem | null} problem */
  constructor(problem) {
    super(problem?.detail ?? "the server does not answer");
    this.problem = problem;
  }
}

export const PROGRAMS = "api/v1/programs";

/** Where a program's lesson is told. @param {string} id */
export const lessonAddress = (id) => `${PROGRAMS}/${encodeURIComponent(id)}/lesson`;

/** The address of a file that lies beside this module, under the page's version. @param {string} path */
export const beside = (path) => new URL(path, import.meta.url).href;

/** Where the example lies that comes with the page. */
export const defaultExampleAddress = () => beside("data/default_example.json");

/** Where a language's words lie. @param {string} language */
export const catalogueAddress = (language) => beside(`i18n/${language}.json`);

/** @param {string} path relative to the page @param {RequestInit} [options] @returns {Promise<Response>} */
const ask = (path, options) =>
  fetch(path, options).catch((error) => {
    if (options?.signal?.aborted) throw error;
    throw new ApiError(null);
  });

/** @type {Map<string, Promise<any>>} answers that were asked for ahead, each for who asks the same first */
const ahead = new Map();

/** @param {string} path @param {RequestInit} [options] */
const questionOf = (path, { body } = {}) => `${path} ${body ?? ""}`;

/**
 * Ask what a part of the page will ask once it is there; that part is given this answer.
 * @param {string} path relative to the page @param {unknown} [body] of a question that is posted
 * @returns {Promise<any>}
 */
export function askAhead(path, body) {
  const options = body === undefined ? undefined : post(body);
  const answer = request(path, options);
  answer.catch(() => {}); // told to who asks for it
  ahead.set(questionOf(path, options), answer);
  return answer;
}

/** @param {string} path relative to the page @param {RequestInit} [options] @returns {Promise<any>} */
async function request(path, options) {
  const question = questionOf(path, options);
  const known = ahead.get(question);
  ahead.delete(question);
  const body = await (known ?? answerTo(path, options));
  if (options?.signal?.aborted) throw new DOMException("", "AbortError");
  return body;
}

/** @param {string} path @param {RequestInit} [options] @returns {Promise<any>} */
async function answerTo(path, options) {
  const response = await ask(path, options);
  const body = await response.json().catch(() => null);
  if (!response.ok || body === null) throw new ApiError(body ?? { status: response.status });
  return body;
}

/** @param {unknown} body @param {AbortSignal} [signal] @returns {RequestInit} */
const post = (body, signal) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
  signal,
});

/**
 * Parse, run, differentiate.
 * @param {ProgramRequest} program
 * @param {AbortSignal} signal
 * @returns {Promise<Program>}
 */
export const postProgram = (program, signal) => request(PROGRAMS, post(program, signal));

/**
 * One forward and one backward pass, told.
 * @param {string} id
 * @param {AbortSignal} signal
 * @returns {Promise<Lesson>}
 */
export const getLesson = (id, signal) =>
  request(lessonAddress(id), { signal });

/**
 * The nodes that carry a program's mathematics, wired past the plumbing.
 * @param {string} id
 * @returns {Promise<{nodes: ApiNode[]}>}
 */
export const getEssentials = (id) => request(`api/v1/programs/${encodeURIComponent(id)}/graph?detail=essentials`);

/**
 * The same of the graph that a run's optimizer has grown.
 * @param {string} id of the run
 * @returns {Promise<{nodes: ApiNode[]}>}
 */
export const getRunEssentials = (id) => request(`api/v1/runs/${encodeURIComponent(id)}/graph?detail=essentials`);

/**
 * A program's computation written in another language.
 * @param {string} id @param {string} language
 * @returns {Promise<{language: string, source: string}>}
 */
export const getCode = (id, language) =>
  request(`api/v1/programs/${encodeURIComponent(id)}/code?as=${encodeURIComponent(language)}`);

/**
 * How a run runs: the function that is generated for its optimizer's steps.
 * @param {string} id
 * @returns {Promise<{language: string, source: string}>}
 */
export const getRunCode = (id) => request(`api/v1/runs/${encodeURIComponent(id)}/code?as=generated`);

/** Where TensorBoard's event file of a program's graph is downloaded from. @param {string} id */
export const eventFileAddress = (id) => `api/v1/programs/${encodeURIComponent(id)}/graph?format=events`;

/**
 * A file that lies on this host.
 * @param {string} path
 * @returns {Promise<ArrayBuffer>}
 */
export async function getBytes(path) {
  const address = new URL(path, location.href);
  if (address.origin !== location.origin) throw new ApiError(null);
  const response = await fetch(address).catch(() => null);
  if (!response?.ok) throw new ApiError(response ? { status: response.status, detail: `${path}: ${response.status}` } : null);
  return response.arrayBuffer();
}

/**
 * Optimise, and hear of it while it is computed; whoever stops listening ends it.
 * @param {RunRequest} run
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<RunHeader | RunChunk | RunFooter>}
 */
export async function* streamRun(run, signal) {
  const asked = post(run, signal);
  const response = await ask("api/v1/runs", { ...asked, headers: { ...asked.headers, Accept: "application/x-ndjson" } });
  if (!response.ok || !response.body) throw new ApiError(await response.json().catch(() => ({ status: response.status })));
  for await (const line of linesOf(response.body, signal)) yield JSON.parse(line);
}

/**
 * The lines of a text that is still arriving.
 * @param {ReadableStream<Uint8Array>} body @param {AbortSignal} signal @returns {AsyncGenerator<string>}
 */
async function* linesOf(body, signal) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let begun = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw signal.aborted ? error : new ApiError(null);
    });
    const lines = (begun + decoder.decode(value, { stream: !done })).split("\n");
    begun = lines.pop() ?? "";
    for (const line of lines) {
      if (signal.aborted) throw new DOMException("", "AbortError");
      yield line;
    }
    if (done) return;
  }
}

/**
 * Every tensor at one step of a run, by name.
 * @param {string} id @param {number} step @param {AbortSignal} signal
 * @returns {Promise<{step: number, nodes: Record<string, Value>}>}
 */
export const getRunStep = (id, step, signal) => request(`api/v1/runs/${encodeURIComponent(id)}/steps/${step}`, { signal });

/** What an op computes. @param {string} name @returns {Promise<OpDoc>} */
export const getOp = (name) => request(`api/v1/ops/${encodeURIComponent(name)}`);

/** Every optimizer and schedule. @returns {Promise<OptimizerCatalogue>} */
export const getOptimizers = () => request("api/v1/optimizers");

/** @returns {Promise<Example[]>} */
export const getExamples = () =>
  request("api/v1/examples").then((body) => (Array.isArray(body) ? body : body.examples));

/** @param {string} id @returns {Promise<Example>} */
export const getExample = (id) => request(`api/v1/examples/${encodeURIComponent(id)}`);

/**
 * The example that is drawn before anything else, its lesson included.
 * @returns {Promise<DefaultExample>}
 */
export const getDefaultExample = () => request(defaultExampleAddress());

/** One language's words. @param {string} language @returns {Promise<Record<string, string>>} */
export const getCatalogue = (language) => request(catalogueAddress(language));
