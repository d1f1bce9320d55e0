// A class as one browser sees it, as its teacher or a student, and how each event changes that.

/** @import { Bilingual, Value } from "../types.js" */
/** @typedef {{label: Bilingual, misconception: string | null, correct: boolean, count: number}} Bin */
/** @typedef {{round: number, answered: number, bins: Bin[] | null}} Round */
/** @typedef {"number" | "sign" | "formula" | "node" | "ending"} QuestionKind */
/**
 * @typedef {object} ClassQuestion
 * @property {string} id
 * @property {number} step
 * @property {QuestionKind} kind
 * @property {number} round
 * @property {Bilingual | null} prompt
 * @property {{value: string, text: string}[]} options
 * @property {boolean} [closed]
 * @property {boolean} [revealed]
 * @property {unknown} [said]      by this student; null before that
 * @property {Value} [answer]      once it is revealed
 * @property {Round[]} [rounds]    what the class has said, where enough have
 */
/** @typedef {import("../store.js").State["dock"]} Tool */
/** @typedef {{link?: string | null, step?: number | null, node?: string | null, source?: string, tools?: Tool[], locked?: boolean}} ShownState */
/** @typedef {ClassQuestion & {answered: number, bins: Bin[] | null}} QuestionResult */
/** @typedef {{students: number, steps: Record<string, number>, lost: Record<string, number>, questions: QuestionResult[]}} Results */
/**
 * @typedef {object} Classroom
 * @property {"teacher" | "student"} role
 * @property {string} code               as it is shown: K7F3-QX4M
 * @property {string} token
 * @property {Bilingual | null} label    by which a student knows their own dot
 * @property {ShownState} shown
 * @property {"follow" | "free"} mode
 * @property {Tool[] | null} tools       that students have; null for all
 * @property {boolean} locked            nobody else may join
 * @property {boolean} away              a student explores on their own while the class goes on
 * @property {number} seq                of the last event
 * @property {ClassQuestion | null} question
 * @property {Results | null} results    the teacher's
 * @property {number | null} lostAt      the step at which this student has said that they are lost
 * @property {"live" | "away"} connection
 * @property {boolean} ended
 */

/** @type {Omit<Classroom, "role" | "code" | "token">} */
const NEW = {
  label: null,
  shown: {},
  mode: "follow",
  tools: null,
  locked: false,
  away: false,
  seq: 0,
  question: null,
  results: null,
  lostAt: null,
  connection: "live",
  ended: false,
};

/** A class that was opened or joined. @param {Pick<Classroom, "role" | "code" | "token"> & Partial<Classroom>} found @returns {Classroom} */
export const newClassroom = (found) => Object.freeze({ ...NEW, ...found });

/** What a class may use, and whether it is open, as it is shown. @param {ShownState} shown @returns {Pick<Classroom, "tools" | "locked">} */
export const rulesOf = ({ tools, locked }) => ({ tools: tools ?? null, locked: locked ?? false });

/** Whether somebody has a tool: a teacher has all of them. @param {Classroom | null} now @param {Tool} tool */
export const hasTool = (now, tool) => now?.role !== "student" || now.ended || now.tools === null || now.tools.includes(tool);

/** The tools of a class with one more, or one less; null for all. @param {readonly Tool[]} all @param {Tool[] | null} now @param {Tool} tool @returns {Tool[] | null} */
export function toggledTool(all, now, tool) {
  const had = now ?? all;
  const left = all.filter((each) => had.includes(each) !== (each === tool));
  return left.length === all.length ? null : left;
}

/** What an event makes of a class. @param {Classroom} now @param {{seq: number, type: string, data: any}} event @returns {Classroom} */
export function afterEvent(now, { seq, type, data }) {
  const known = { ...now, seq };
  switch (type) {
    case "state": {
      const { mode, ...shown } = data;
      if (now.role === "teacher") return { ...known, shown }; // whose own choices are newer than what comes back of them
      return { ...known, ...rulesOf(shown), mode, shown, away: now.away && mode === "follow" };
    }
    case "question":
      return { ...known, question: { ...data, said: null, closed: false, revealed: false } };
    case "closed":
      return { ...known, question: withFields(now.question, data.id, { closed: true }) };
    case "reveal": {
      const { answer, rounds } = data;
      return { ...known, question: withFields(now.question, data.id, { closed: true, revealed: true, answer, rounds }) };
    }
    case "ended":
      return { ...known, ended: true, question: null };
    default:
      return known;
  }
}

/** @param {ClassQuestion | null} question @param {string} id @param {Partial<ClassQuestion>} fields */
const withFields = (question, id, fields) => (question?.id === id ? { ...question, ...fields } : question);

/** What a student said, until they say something else. @param {Classroom} now @param {string} id @param {unknown} said @returns {Classroom} */
export const afterAnswer = (now, id, said) => ({ ...now, question: withFields(now.question, id, { said }) });

/** Whether what the teacher shows is what this student sees. @param {Classroom | null} now */
export const isFollowing = (now) => now?.role === "student" && now.mode === "follow" && !now.away && !now.ended;

/** How a question stands with its teacher. @param {Classroom} now @returns {"none" | "open" | "closed" | "revealed"} */
export function stage({ question }) {
  if (!question) return "none";
  if (question.revealed) return "revealed";
  return question.closed ? "closed" : "open";
}

/** What the teacher knows of the question that was asked last. @param {Classroom} now @returns {QuestionResult | null} */
export const latestResult = ({ question, results }) => results?.questions.find(({ id }) => id === question?.id) ?? null;

/** How wide a bin's bar is, of the widest. @param {Bin[]} bins @param {Bin} bin @returns {number} from 0 to 1 */
export const share = (bins, bin) => bin.count / Math.max(1, ...bins.map(({ count }) => count));

/** A code as it is typed: two groups of four, in capitals. @param {string} typed */
export function tidyCode(typed) {
  const symbols = typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "")
    .slice(0, 8);
  return symbols.length > 4 ? `${symbols.slice(0, 4)}-${symbols.slice(4)}` : symbols;
}
