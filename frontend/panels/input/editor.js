// The editor: CodeMirror with line numbers, Python or mathematics in colour, and marked places.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  StreamLanguage,
  syntaxHighlighting,
} from "@codemirror/language";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

import { rangeOf } from "../../values/positions.js";

/** @typedef {{from: number, to: number, kind: "error" | "warning" | "note" | "step", title: string}} Mark */

/** @type {import("@codemirror/state").StateEffectType<Mark[]>} */
const setMarks = StateEffect.define();

/** @param {Mark[]} marks @param {number} length of the text */
function decorations(marks, length) {
  const inside = marks.filter(({ from, to }) => from < to && to <= length);
  return Decoration.set(
    inside.map(({ from, to, kind, title }) =>
      Decoration.mark({ class: `mark-${kind}`, attributes: title ? { title } : {} }).range(from, to),
    ),
    true,
  );
}

const marksField = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    const found = transaction.effects.find((effect) => effect.is(setMarks));
    return found ? decorations(found.value, transaction.newDoc.length) : marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const mathematics = StreamLanguage.define({
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^[0-9.]+(e[+-]?[0-9]+)?/i)) return "number";
    if (stream.match(/^[\p{L}_]\w*(?=\s*\()/u)) return "keyword";
    if (stream.match(/^[\p{L}_]\w*/u)) return "variableName";
    stream.next();
    return "operator";
  },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword], class: "code-keyword" },
  { tag: [tags.string, tags.special(tags.string)], class: "code-string" },
  { tag: [tags.number, tags.bool, tags.null], class: "code-number" },
  { tag: [tags.comment, tags.lineComment], class: "code-comment" },
  { tag: [tags.operator, tags.punctuation], class: "code-operator" },
]);

/** Pasted lines are seen from their beginning, however long the last one is. */
const seenFromTheStart = EditorState.transactionExtender.of((transaction) => {
  let several = false;
  transaction.changes.iterChanges((_from, _to, _start, _end, inserted) => {
    several ||= inserted.lines > 1;
  });
  if (!several || !transaction.isUserEvent("input")) return null;
  const { from } = transaction.newDoc.lineAt(transaction.newSelection.main.head);
  return { effects: EditorView.scrollIntoView(from) };
});

/**
 * @param {HTMLElement} host
 * @param {{text: string, label: string, onChange: (text: string) => void}} options
 */
export function createEditor(host, { text, label, onChange }) {
  const language = new Compartment();
  let wanted = "";
  const labelled = new Compartment();
  const labelOf = (/** @type {string} */ name) =>
    EditorView.contentAttributes.of({ "aria-label": name, spellcheck: "false", autocapitalize: "off", tabindex: "0" });
  const view = new EditorView({
    parent: host,
    state: EditorState.create({
      doc: text,
      extensions: [
        ...[
          lineNumbers(),
          history(),
          drawSelection(),
          bracketMatching(),
          seenFromTheStart,
          indentOnInput(),
          indentUnit.of("    "),
        ],
        ...[marksField, syntaxHighlighting(colours)],
        ...[language.of([]), labelled.of(labelOf(label)), keymap.of([...defaultKeymap, ...historyKeymap])],
        EditorView.updateListener.of((change) => {
          if (change.docChanged) onChange(change.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    /** @param {string} source */
    setText(source) {
      if (view.state.doc.toString() !== source)
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: source }, userEvent: "input.replace" }); // undone by itself
    },
    /** Write other texts in some places, in one change that can be undone. @param {readonly (import("../../types.js").Span & {text: string})[]} fixes */
    mend(fixes) {
      const source = view.state.doc.toString();
      const changes = fixes.flatMap((fix) => {
        const range = rangeOf(source, fix);
        return range ? [{ from: range[0], to: range[1], insert: fix.text }] : [];
      });
      view.dispatch({ changes, userEvent: "input.mend" });
      view.focus();
    },
    /** @param {Mark[]} marks */
    setMarks: (marks) => view.dispatch({ effects: setMarks.of(marks) }),
    /** Colour the text in a language; Python's grammar is fetched for the first program. @param {string} dialect */
    async setDialect(dialect) {
      wanted = dialect;
      const spoken = dialect === "math" ? mathematics : (await import("@codemirror/lang-python")).pythonLanguage;
      if (wanted === dialect) view.dispatch({ effects: language.reconfigure(spoken) });
    },
    /** Go on where one typed. @param {HTMLTextAreaElement} plain */
    goOn({ selectionStart, selectionEnd }) {
      const [anchor, head] = [selectionStart, selectionEnd].map((at) => Math.min(at, view.state.doc.length));
      view.dispatch({ selection: { anchor, head } });
      view.focus();
    },
    /** @param {string} name */
    setLabel: (name) => view.dispatch({ effects: labelled.reconfigure(labelOf(name)) }),
    /** Select a place's text. @param {import("../../values/positions.js").Place} place */
    goTo(place) {
      const range = rangeOf(view.state.doc.toString(), place);
      if (range) view.dispatch({ selection: { anchor: range[1], head: range[0] }, scrollIntoView: true });
      view.focus();
    },
  };
}

/** @typedef {ReturnType<typeof createEditor>} Editor */
