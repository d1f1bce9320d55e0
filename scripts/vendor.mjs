// Builds frontend/vendor/ from the packages in node_modules.
//
// The page is served as it stands in the repository, so third-party code is bundled here once and
// committed. The same lock file gives the same bytes: `npm ci && npm run vendor` must leave
// `git diff` empty. Beside the bundles stand each package's licence and a manifest with the
// SHA-256 of every file.

import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { minify } from "terser";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const MODULES = path.join(ROOT, "node_modules");
const VENDOR = path.join(ROOT, "frontend", "vendor");

/** Bundle file -> what it re-exports, by package. Names are listed so that the rest is shaken off. */
const BUNDLES = {
  "codemirror.js": {
    "@codemirror/state": ["Compartment", "EditorState", "StateEffect", "StateField"],
    "@codemirror/view": ["Decoration", "EditorView", "drawSelection", "keymap", "lineNumbers"],
    "@codemirror/commands": ["defaultKeymap", "history", "historyKeymap"],
    "@codemirror/language": [
      "HighlightStyle",
      "StreamLanguage",
      "bracketMatching",
      "indentOnInput",
      "indentUnit",
      "syntaxHighlighting",
    ],
    "@lezer/highlight": ["tags"],
  },
  "codemirror_python.js": { "@codemirror/lang-python": ["pythonLanguage"] },
  "contour.js": { "d3-contour": ["contours"] },
  "d3.js": {
    "d3-selection": ["pointer", "select"],
    "d3-zoom": ["zoom", "zoomIdentity", "zoomTransform"],
  },
  "katex.js": { katex: ["default", "render"] },
  "lit.js": {
    lit: ["LitElement", "html", "nothing", "render", "svg"],
    "lit/directives/live.js": ["live"],
    "lit/directives/ref.js": ["createRef", "ref"],
    "lit/directives/repeat.js": ["repeat"],
  },
  "qr.js": { qr: ["default"] },
  "signals.js": { "@preact/signals-core": ["batch", "computed", "effect", "signal", "untracked"] },
  "uplot.js": { uplot: ["default"] },
};

/**
 * What stands in for a package that another one asks for. d3-zoom can zoom in animation, by d3-transition, d3-interpolate
 * and what these bring: half of the bundle. The page moves by itself (frontend/view/motion.js), so nothing is ever
 * under way that would have to be interrupted.
 */
const STAND_INS = {
  "d3-interpolate": "export const interpolateZoom = null;",
  "d3-transition": `
    import { selection } from "d3-selection";
    export const interrupt = () => {};
    selection.prototype.interrupt = function () { return this; };`,
};

/** Files taken over unchanged. */
const COPIES = {
  "swagger-ui/NOTICE": "swagger-ui-dist/NOTICE",
  "swagger-ui/swagger-ui-bundle.js": "swagger-ui-dist/swagger-ui-bundle.js",
  "swagger-ui/swagger-ui-bundle.js.LICENSE.txt": "swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt",
  "swagger-ui/swagger-ui.css": "swagger-ui-dist/swagger-ui.css",
  "uplot.css": "uplot/dist/uPlot.min.css",
};

/** What two bundles share stands in a third: a second copy of CodeMirror's state would not work with the first. */
const SHARED = "codemirror_shared";

/** Make every bundle, and say which packages ended up in them. @returns {Promise<string[]>} */
async function bundle() {
  const entries = Object.entries(BUNDLES);
  /** @type {(exports: Record<string, string[]>) => string} */
  const exporting = (exports) =>
    Object.entries(exports)
      .map(([from, names]) => `export { ${names.join(", ")} } from "${from}";`)
      .join("\n");
  const result = await build({
    entryPoints: entries.map(([file]) => ({ in: file, out: path.parse(file).name })),
    plugins: [
      {
        name: "listed exports",
        setup(building) {
          building.onResolve({ filter: /\.js$/ }, ({ path: file, kind }) =>
            kind === "entry-point" ? { path: file, namespace: "listed" } : undefined,
          );
          building.onLoad({ filter: /.*/, namespace: "listed" }, ({ path: file }) => ({
            contents: exporting(Object.fromEntries(entries)[file]),
            resolveDir: ROOT,
          }));
        },
      },
      {
        name: "stand-ins",
        setup(building) {
          building.onResolve({ filter: /^d3-/ }, ({ path: name }) =>
            name in STAND_INS ? { path: name, namespace: "stand-in" } : undefined,
          );
          building.onLoad({ filter: /.*/, namespace: "stand-in" }, ({ path: name }) => ({
            contents: Object.fromEntries(Object.entries(STAND_INS))[name],
            resolveDir: ROOT,
          }));
        },
      },
    ],
    outdir: VENDOR,
    chunkNames: SHARED,
    splitting: true,
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  await Promise.all(Object.keys(result.metafile.outputs).map((file) => shorten(path.resolve(file))));
  return Object.keys(result.metafile.inputs)
    .map(packageOf)
    .filter((name) => name !== "");
}

/** What is bundled and minified already, said once more in fewer bytes. @param {string} file */
async function shorten(file) {
  const { code = "" } = await minify(await readFile(file, "utf8"), { module: true, compress: { passes: 3 } });
  await writeFile(file, code);
}

/** The package that a path inside node_modules belongs to, or "". @param {string} file */
function packageOf(file) {
  const [, inside = ""] = file.split("node_modules/");
  return inside
    .split("/")
    .slice(0, inside.startsWith("@") ? 2 : 1)
    .join("/");
}

/** KaTeX's style sheet with only the woff2 fonts, and those fonts. */
async function copyKatexStyles() {
  const css = await readFile(path.join(MODULES, "katex/dist/katex.min.css"), "utf8");
  const slim = css.replace(/,url\(fonts\/[^)]+\.(?:woff|ttf)\) format\("[^"]+"\)/g, "");
  await writeFile(path.join(VENDOR, "katex.css"), slim);
  await mkdir(path.join(VENDOR, "fonts"), { recursive: true });
  const fonts = (await readdir(path.join(MODULES, "katex/dist/fonts"))).filter((name) => name.endsWith(".woff2"));
  await Promise.all(
    fonts.map((name) => copyFile(path.join(MODULES, "katex/dist/fonts", name), path.join(VENDOR, "fonts", name))),
  );
}

/** @param {string} target @param {string} source */
async function copyUnchanged(target, source) {
  await mkdir(path.dirname(path.join(VENDOR, target)), { recursive: true });
  await copyFile(path.join(MODULES, source), path.join(VENDOR, target));
}

/** Copy one package's licence beside the bundles and describe it. @param {string} name */
async function license(name) {
  const folder = path.join(MODULES, name);
  const { version, license: terms } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  const source = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file));
  if (!source) throw new Error(`${name} has no licence file; look for its terms before bundling it.`);
  await copyFile(path.join(folder, source), path.join(VENDOR, "licenses", `${name.replace("/", "__")}.txt`));
  return { name, version, license: terms };
}

/** Every file under a folder, sorted, as paths from it. @param {string} folder @returns {Promise<string[]>} */
async function filesUnder(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .sort();
}

await rm(VENDOR, { recursive: true, force: true });
await mkdir(path.join(VENDOR, "licenses"), { recursive: true });
const bundled = await bundle();
await copyKatexStyles();
await Promise.all(Object.entries(COPIES).map(([target, source]) => copyUnchanged(target, source)));

const names = [...new Set([...bundled, "swagger-ui-dist"])].sort();
const packages = await Promise.all(names.map(license));
/** @type {Record<string, string>} */
const sha256 = {};
for (const file of await filesUnder(VENDOR)) {
  sha256[file] = createHash("sha256")
    .update(await readFile(path.join(VENDOR, file)))
    .digest("hex");
}
await writeFile(path.join(VENDOR, "manifest.json"), `${JSON.stringify({ packages, sha256 }, null, 1)}\n`);
