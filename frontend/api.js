// The only module that talks to the server.
//
// Every function returns the body as `/api/v1` wrote it. A failed request throws ApiError.

/**
 * @import { ApiNode, Course, DefaultExample, Example, Lesson, OpDoc, OptimizerCatalogue, Problem, Program } from "./types.js"
 * @import { ProgramRequest, RunChunk, RunFooter, RunHeader, RunRequest, Thumbnail } from "./types.js"
 */
/** @typedef {{answer: Promise<any>, leave: AbortController}} Ahead  an answer that was fetched ahead */

import { readSetting, writeSetting } from "./browser/local_storage.js";
import { beside } from "./values/beside.js";

const KEY = "gradlens.key";
const ASKS_FOR_KEY = 'Bearer realm="gradlens"';
const CLASS_TRIES = 3; // more, where the service is busy: a whole class presses the button at once
const MOST_PATIENCE_S = 5;

/** A request that failed: `problem` is the server's problem document, or null when nothing answered. */
export class ApiError extends Error {
  /** @param {Problem | null} problem */
  constructor(problem) {
    super(problem?.detail ?? "the server does not answer");
    this.problem = problem;
  }
}

export const PROGRAMS = "api/v1/programs";
const IMPORTS = "api/v1/imports";

/** The address of a program's lesson. @param {string} id @param {string} level */
export const lessonAddress = (id, level) => `${PROGRAMS}/${encodeURIComponent(id)}/lesson?level=${level}`;

/** Where the example lies that comes with the page. */
export const defaultExampleAddress = () => beside("data/default_example.json");

/** Where a language's words lie. @param {string} language */
export const catalogueAddress = (language) => beside(`i18n/${language}.json`);

/**
 * @typedef {object} Shared
 * @property {string} browser                 random, so that the server can let the browsers behind one address take turns; kept as long as the page is open
 * @property {Map<string, Ahead>} ahead       answers that were fetched ahead, each for who asks the same first
 * @property {string | null} key              of a service that asks for one
 * @property {Promise<void> | null} waiting   until somebody has typed it
 * @property {() => void} given               ends the waiting
 */
/** @type {typeof globalThis & {gradlens?: Shared}} */
const page = globalThis;
/** What the page's copies of this module share: in the bundle, requests/prefetch.js has one of its own. */
const shared = (page.gradlens ??= {
  browser: Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join(""),
  ahead: new Map(),
  key: readSetting(KEY),
  waiting: null,
  given: () => {},
});
const { ahead } = shared;

/** @param {string} path relative to the page @param {RequestInit} [options] @returns {Promise<Response>} */
async function ask(path, options) {
  const { browser, key } = shared;
  const headers = { ...options?.headers, "Gradlens-Browser": browser, ...(key !== null && { "Gradlens-Key": key }) };
  const response = await fetch(path, { ...options, headers }).catch((error) => {
    if (options?.signal?.aborted) throw error;
    throw new ApiError(null);
  });
  if (response.status !== 401 || response.headers.get("WWW-Authenticate") !== ASKS_FOR_KEY) return response;
  if (key === shared.key) await keyGiven(); // else somebody has typed one meanwhile
  return ask(path, options);
}

/** Wait until somebody has typed the key of this service: once for all questions that need it. */
function keyGiven() {
  shared.waiting ??= new Promise((given) => (shared.given = () => given(undefined))).then(() => void (shared.waiting = null));
  dispatchEvent(new Event("key-needed"));
  return shared.waiting;
}

/** Whether a question waits for the key. */
export const needsKey = () => shared.waiting !== null;

/** Go on with this key; it is kept in this browser. @param {string} key */
export function giveKey(key) {
  shared.key = key;
  writeSetting(KEY, key);
  shared.given();
}

/** @param {string} path @param {RequestInit} [options] */
const questionOf = (path, { body } = {}) => `${path} ${body ?? ""}`;

/**
 * Ask what a part of the page will ask once it is there; that part is given this answer.
 * @param {string} path relative to the page @param {unknown} [body] of a question that is posted
 * @returns {Promise<any>}
 */
export function prefetch(path, body) {
  const leave = new AbortController();
  const options = body === undefined ? { signal: leave.signal } : post(body, leave.signal);
  const answer = request(path, options);
  answer.catch(() => {}); // handled by who asks for it
  ahead.set(questionOf(path, options), { answer, leave });
  return answer;
}

/** @param {string} path relative to the page @param {RequestInit} [options] @returns {Promise<any>} */
async function request(path, options) {
  const question = questionOf(path, options);
  const known = ahead.get(question);
  ahead.delete(question);
  if (known) options?.signal?.addEventListener("abort", () => known.leave.abort());
  const body = await (known?.answer.catch(throwOwn) ?? answerTo(path, options));
  if (options?.signal?.aborted) throw new DOMException("", "AbortError");
  return body;
}

/** Throw an error of the page's other copy of this module as one of this copy, which knows its own class alone. @param {any} error */
function throwOwn(error) {
  throw "problem" in error ? new ApiError(error.problem) : error;
}

/** @param {string} path @param {RequestInit} [options] @returns {Promise<any>} */
async function answerTo(path, options) {
  const response = await ask(path, options);
  const inLines = response.headers.get("Content-Type") === NDJSON;
  const body = await (inLines ? lastOf(response, options?.signal) : response.json()).catch((error) => {
    if (options?.signal?.aborted) throw error;
    return null;
  });
  if (!response.ok || body === null || body.type === "problem") throw new ApiError(body ?? { status: response.status });
  return body;
}

/** The last of an answer's lines; those before it are announced to the page. @param {Response} response @param {AbortSignal | null} [signal] */
async function lastOf({ body }, signal) {
  let last = null;
  for await (const line of linesOf(/** @type {ReadableStream<Uint8Array>} */ (body), signal)) {
    last = JSON.parse(line);
    if (last.type === "progress") dispatchEvent(new CustomEvent("program-progress", { detail: last }));
  }
  return last?.type === "progress" ? null : last;
}

const NDJSON = "application/x-ndjson";

/** @param {unknown} body @param {AbortSignal} [signal] @param {string} [accept] a quick answer whole, or a slow one in lines */
const post = (body, signal, accept = `application/json, ${NDJSON}`) => ({
  method: "POST",
  headers: { "Content-Type": "application/json", Accept: accept },
  body: JSON.stringify(body),
  signal,
});

/**
 * Parse, run, differentiate. Of a program that takes more than a second, `program-progress` events say how far it is.
 * @param {ProgramRequest} program
 * @param {AbortSignal} signal
 * @returns {Promise<Program>}
 */
export const postProgram = (program, signal) => request(PROGRAMS, post(program, signal));

/**
 * The lesson: one forward and one backward pass, step by step.
 * @param {string} id
 * @param {import("./types.js").Level} level
 * @param {AbortSignal} signal
 * @returns {Promise<Lesson>}
 */
export const getLesson = (id, level, signal) => request(lessonAddress(id, level), { signal });

/**
 * Other numbers for the variables, at which wrong answers differ from right ones.
 * @param {string} id @param {number} again how often they were asked for before @returns {Promise<{at: Record<string, number>}>}
 */
export const getNewNumbers = (id, again) => request(`api/v1/programs/${encodeURIComponent(id)}/new-numbers?again=${again}`);

/** All paths from a variable to the target. @param {string} id @param {string} x @returns {Promise<import("./types.js").Paths>} */
export const getPaths = (id, x) => request(`api/v1/programs/${encodeURIComponent(id)}/paths?x=${encodeURIComponent(x)}`);

/**
 * Two levels of a program: which nodes show the same quantity, and what differs.
 * @param {string} id @param {import("./types.js").Level} left @param {import("./types.js").Level} right @param {AbortSignal} signal
 * @returns {Promise<import("./types.js").SideBySide>}
 */
export const getSideBySide = (id, left, right, signal) =>
  request(`api/v1/programs/${encodeURIComponent(id)}/side-by-side?left=${left}&right=${right}`, { signal });

/**
 * The derivative three ways; by a variable of choice, and with a learner's own one to be judged.
 * @param {string} id @param {{by?: string, derivative?: string}} [chosen] @param {AbortSignal} [signal]
 * @returns {Promise<import("./types.js").Comparison>}
 */
export const postComparison = (id, chosen = {}, signal = undefined) =>
  request("api/v1/comparisons", post({ program: id, ...chosen }, signal));

/**
 * What differs between two programs or graphs, each by its id or as a program.
 * @param {{before: unknown, after: unknown}} two @param {AbortSignal} signal @returns {Promise<import("./types.js").Differences>}
 */
export const postDifferences = (two, signal) => request("api/v1/differences", post(two, signal));

/**
 * A program's target over one or two axes: whole where it is there at once, else band by band while it is computed.
 * @param {unknown} asked @param {AbortSignal} signal @returns {AsyncGenerator<import("./charts/grid.js").LandscapeEvent>}
 */
export async function* streamLandscape(asked, signal) {
  const response = await ask("api/v1/landscapes", post(asked, signal));
  if (!response.ok || !response.body || response.headers.get("Content-Type") !== NDJSON) {
    const body = await response.json().catch(() => null);
    if (signal.aborted) throw new DOMException("", "AbortError");
    if (!response.ok || body === null) throw new ApiError(body ?? { status: response.status });
    yield { ...body, type: "whole" };
    return;
  }
  for await (const line of linesOf(response.body, signal)) {
    const event = JSON.parse(line);
    if (event.type === "problem") throw new ApiError(event);
    yield event;
  }
}

/** Several runs of one program. @param {unknown} asked @param {AbortSignal} signal @returns {Promise<import("./state/race.js").RaceAnswer>} */
export const postRace = (asked, signal) => request("api/v1/races", post(asked, signal));

/**
 * The nodes that carry a program's mathematics, wired past the plumbing.
 * @param {string} id
 * @returns {Promise<{nodes: ApiNode[]}>}
 */
export const getEssentials = (id) => request(`api/v1/programs/${encodeURIComponent(id)}/graph?detail=essentials`);

/**
 * A program's nodes as its own framework builds them.
 * @param {string} id @param {"torch" | "jax"} framework @param {AbortSignal} [signal]
 * @returns {Promise<import("./types.js").FrameworkGraph>}
 */
export const getFrameworkGraph = (id, framework, signal) =>
  request(`api/v1/programs/${encodeURIComponent(id)}/graph?detail=${framework}`, { signal });

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
 * A graph as a file for other tools, or as a picture of all of it.
 * @param {"programs" | "runs" | "imports"} noun @param {string} id
 * @param {{format: string, theme?: "light" | "dark" | "print", detail?: string, direction?: string, open?: string[]}} look
 */
export function getGraphFile(noun, id, { open, ...look }) {
  const scopes = open && (open.length > 0 ? open : [""]); // none is open; without the parameter those are that are at first
  const asked = new URLSearchParams([...Object.entries(look), ...(scopes ?? []).map((scope) => ["open", scope])]);
  return getFile(`api/v1/${noun}/${encodeURIComponent(id)}/graph?${asked}`);
}

/**
 * A program's lesson as equations, for LaTeX.
 * @param {string} id @param {import("./types.js").Level} level @param {string} language
 */
export const getDerivation = (id, level, language) =>
  getFile(`${lessonAddress(id, level)}&format=latex&language=${language === "zh-CN" ? "zh" : "en"}`);

/** A program as a Jupyter notebook. @param {string} id */
export const getNotebook = (id) => getFile(`api/v1/programs/${encodeURIComponent(id)}/notebook`);

/** What is in sight as PDF. @param {import("./view/export/marks.js").MarkedPicture} marked */
export const postPicture = (marked) => getFile("api/v1/pictures", post(marked, AbortSignal.timeout(60_000), "application/pdf"));

/** @param {string} path @param {RequestInit} [options] @returns {Promise<Blob>} */
async function getFile(path, options) {
  const response = await ask(path, options);
  if (!response.ok) throw new ApiError(await response.json().catch(() => ({ status: response.status })));
  return response.blob();
}

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

/** What the server says of a graph's file, as it wrote it: a worker takes it apart. @param {Promise<Response>} asked @returns {Promise<ArrayBuffer>} */
async function bytesOf(asked) {
  const response = await asked;
  if (!response.ok) throw new ApiError(await response.json().catch(() => ({ status: response.status })));
  return response.arrayBuffer();
}

/** Open the file of a graph that another program wrote. @param {ArrayBuffer | Blob} body */
export const postImport = (body) =>
  bytesOf(ask(IMPORTS, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body }));

/** The same of a graph grown by a gradient. @param {string} id @param {{y: string, xs: string[]}} wanted */
export const postImportGradients = (id, wanted) => bytesOf(ask(`${IMPORTS}/${encodeURIComponent(id)}/gradients`, post(wanted)));

/**
 * What can be computed of a graph from a file.
 * @param {string} id @param {{feeds: object, variables: object}} given @param {AbortSignal} signal
 * @returns {Promise<import("./types.js").ImportedValues>}
 */
export const postImportValues = (id, given, signal) =>
  request(`${IMPORTS}/${encodeURIComponent(id)}/values`, post(given, signal));

/** The same of a file that was opened before. @param {string} id */
export const getImport = (id) => bytesOf(ask(`${IMPORTS}/${encodeURIComponent(id)}`));

/** The nodes that carry the mathematics of a graph from a file. @param {string} id @returns {Promise<{nodes: ApiNode[]}>} */
export const getImportEssentials = (id) => request(`${IMPORTS}/${encodeURIComponent(id)}/graph?detail=essentials`);

/**
 * Optimise, and hear of it while it is computed; whoever stops listening ends it.
 * @param {RunRequest} run @param {AbortSignal} signal @returns {AsyncGenerator<RunHeader | RunChunk | RunFooter>}
 */
export async function* streamRun(run, signal) {
  const response = await ask("api/v1/runs", post(run, signal, NDJSON));
  if (!response.ok || !response.body) throw new ApiError(await response.json().catch(() => ({ status: response.status })));
  for await (const line of linesOf(response.body, signal)) yield JSON.parse(line);
}

/**
 * The lines of a text that is still arriving.
 * @param {ReadableStream<Uint8Array>} body @param {AbortSignal | null} [signal] @returns {AsyncGenerator<string>}
 */
async function* linesOf(body, signal) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let begun = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw signal?.aborted ? error : new ApiError(null);
    });
    const lines = (begun + decoder.decode(value, { stream: !done })).split("\n");
    begun = lines.pop() ?? "";
    for (const line of lines) {
      if (signal?.aborted) throw new DOMException("", "AbortError");
      yield line;
    }
    if (done) return;
  }
}

/**
 * Every tensor at one step of a run, by name.
 * @param {string} id @param {number} step @param {AbortSignal} signal
 * @returns {Promise<import("./types.js").RunStep>}
 */
export const getRunStep = (id, step, signal) => request(`api/v1/runs/${encodeURIComponent(id)}/steps/${step}`, { signal });

/**
 * One tensor's whole value, however large.
 * @param {string} id of the program @param {string} name @returns {Promise<import("./types.js").TensorValue>}
 */
export const getTensor = (id, name) =>
  request(`${PROGRAMS}/${encodeURIComponent(id)}/tensors/${name.split("/").map(encodeURIComponent).join("/")}`);

/** Keep a state of the page that is too long for an address. @param {unknown} state @returns {Promise<{id: string, url: string}>} */
export const postLink = (state) => request("api/v1/links", post({ state }));

/** The state that a short link leads to. @param {string} id @returns {Promise<{state: unknown}>} */
export const getLink = (id) => request(`api/v1/links/${encodeURIComponent(id)}`);

/**
 * A question of somebody in a class, or a change that they make; null where the answer is empty.
 * @param {"GET" | "POST" | "PUT" | "DELETE"} method @param {string} path below the classes @param {string | null} token of who asks
 * @param {{body?: unknown, signal?: AbortSignal}} [options] @returns {Promise<any>}
 */
export async function inClass(method, path, token, { body, signal } = {}) {
  const headers = {
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(body !== undefined && { "Content-Type": "application/json" }),
  };
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const asked = () => ask(`api/v1/classes${path}`, { method, headers, signal, body: sent });
  let response = await asked();
  for (let tries = 0; tries < CLASS_TRIES && response.status === 503; tries++) {
    await aWhile(response, signal);
    response = await asked();
  }
  if (response.ok && response.headers.get("Content-Type")?.startsWith("text/csv")) return response.blob();
  const found = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(found ?? { status: response.status });
  return found;
}

/** Wait as long as a busy service asks, not all students alike. @param {Response} response @param {AbortSignal} [signal] */
async function aWhile(response, signal) {
  const asked = Math.min(Number(response.headers.get("Retry-After")) || 1, MOST_PATIENCE_S);
  await new Promise((done) => setTimeout(done, asked * 1000 * (0.5 + Math.random())));
  signal?.throwIfAborted();
}

/**
 * What happens in a class, as it happens, from the event after `after` on; null for each line that shows that the
 * connection lives.
 * @param {string} code @param {string} token @param {number} after @param {AbortSignal} signal
 * @returns {AsyncGenerator<{seq: number, type: string, data: any} | null>}
 */
export async function* classEvents(code, token, after, signal) {
  const headers = { Authorization: `Bearer ${token}`, Accept: "text/event-stream" };
  const response = await ask(`api/v1/classes/${code}/events?after=${after}`, { headers, signal });
  if (!response.ok || !response.body) throw new ApiError(await response.json().catch(() => ({ status: response.status })));
  /** @type {Record<string, string>} */
  let fields = {};
  for await (const line of linesOf(response.body, signal)) {
    const [, field, value] = line.match(/^(id|event|data): (.*)$/) ?? [];
    if (field) fields[field] = value;
    if (line !== "" || fields.data === undefined) yield null;
    else {
      yield { seq: Number(fields.id), type: fields.event, data: JSON.parse(fields.data) };
      fields = {};
    }
  }
}

/** What an op computes. @param {string} name @returns {Promise<OpDoc>} */
export const getOp = (name) => request(`api/v1/ops/${encodeURIComponent(name)}`);

/** Every op. @returns {Promise<{ops: OpDoc[]}>} */
export const getOps = () => request("api/v1/ops");

/** Every optimizer and schedule. @returns {Promise<OptimizerCatalogue>} */
export const getOptimizers = () => request("api/v1/optimizers");

/** Every example, in groups, and the lessons made of them. @returns {Promise<Course>} */
export const getCourse = () => request("api/v1/examples");

/** Where an example lies. @param {string} id */
export const exampleAddress = (id) => `api/v1/examples/${encodeURIComponent(id)}`;

/** @param {string} id @returns {Promise<Example>} */
export const getExample = (id) => request(exampleAddress(id));

/** A small picture of each example's graph, by id. @returns {Promise<Record<string, Thumbnail>>} */
export const getThumbnails = () => request(beside("data/thumbnails.json"));

/**
 * The example that is drawn before anything else, its lesson included.
 * @returns {Promise<DefaultExample>}
 */
export const getDefaultExample = () => request(defaultExampleAddress());

/** One language's words. @param {string} language @returns {Promise<Record<string, string>>} */
export const getCatalogue = (language) => request(catalogueAddress(language));
