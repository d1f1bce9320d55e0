// The terms of a lesson, each with the words by which a sentence is known to use it, and what it means. Fetched with the
// first lesson at level Mathematics.

/** @typedef {{words: readonly string[], meaning: string}} Term  `words`: the first is its name */

/** @type {Record<string, Record<string, Term>>} by language, then by key */
export const TERMS = {
  en: {
    gradient: { words: ["gradient"], meaning: "How fast the result changes when this quantity changes a little." },
    upstream: {
      words: ["upstream gradient", "upstream"],
      meaning:
        "What has arrived at an operation from the side of the result: how fast the result changes with the operation's output.",
    },
    local: {
      words: ["local derivative"],
      meaning: "How fast the output of one operation changes with its input, all other operations left aside.",
    },
    chain: {
      words: ["chain rule"],
      meaning: "Along a path the rates multiply: what arrives, times the local derivative, is passed on.",
    },
    seed: {
      words: ["seed"],
      meaning: "What the backward pass starts from: the gradient of the result with respect to itself, which is 1.",
    },
    sum: {
      words: ["sum over paths"],
      meaning: "A quantity that is used several times gets something back from each use; its gradient is the sum.",
    },
    difference: {
      words: ["finite difference"],
      meaning:
        "The input is changed a little and everything computed again: the change of the result is compared with what the gradient says.",
    },
    rate: { words: ["learning rate"], meaning: "How much of the gradient a variable is moved by in one update." },
  },
  "zh-CN": {
    gradient: { words: ["梯度"], meaning: "这个量稍有变化时，结果变化得有多快。" },
    upstream: { words: ["上游梯度"], meaning: "从结果一侧传到某个运算的梯度：结果随这个运算的输出变化得有多快。" },
    local: { words: ["局部导数"], meaning: "只看一个运算：它的输出随输入变化得有多快，其他运算都不管。" },
    chain: { words: ["链式法则"], meaning: "沿一条路径，变化率相乘：传来的梯度乘以局部导数，再继续传下去。" },
    seed: { words: ["起始梯度"], meaning: "反向传播的起点：结果对自身的梯度，等于 1。" },
    sum: { words: ["对路径求和"], meaning: "一个量用了几次，每次都会传回一部分；它的梯度是各部分之和。" },
    difference: { words: ["有限差分"], meaning: "把输入改变一点，重新计算一遍，再把结果的变化与梯度所说的相比较。" },
    rate: { words: ["学习率"], meaning: "一次更新中，变量按梯度的多大比例移动。" },
  },
};

/**
 * A text in pieces: what is a term has its key. The longest words that fit count.
 * @param {string} text @param {string} language @returns {{text: string, key: string | null}[]}
 */
export function piecesOf(text, language) {
  const terms = TERMS[language] ?? TERMS.en;
  const keys = new Map(Object.entries(terms).flatMap(([key, { words }]) => words.map((word) => [word, key])));
  const words = [...keys.keys()].sort((a, b) => b.length - a.length);
  const edge = language === "en" ? "\\b" : "";
  const parts = text.split(new RegExp(`${edge}(${words.join("|")})${edge}`, "i"));
  return parts.map((part, i) => ({ text: part, key: i % 2 === 1 ? (keys.get(part.toLowerCase()) ?? null) : null }));
}
