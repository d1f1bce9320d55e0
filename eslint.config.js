// What ESLint asks of the page's code, its tests and the scripts that are run by Node. Their format is Prettier's to
// decide, and tsc knows which names there are.

import js from "@eslint/js";

/** State lives in the store and in objects that have a name: a `let` of a module belongs to nobody. */
const NO_STATE_OF_MODULES = ["Program", "ExportNamedDeclaration"].map((parent) => ({
  selector: `${parent} > VariableDeclaration[kind!="const"]`,
  message: "State of a request lives in the store or in a LatestRequest, a cache in a class of its own.",
}));

export default [
  { ignores: ["frontend/bundle/", "frontend/vendor/", "build/", ".venv*/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off",
      "no-unused-vars": ["error", { varsIgnorePattern: "^_", argsIgnorePattern: "^_" }],
      eqeqeq: "error",
      "no-console": "error",
      "no-else-return": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-lonely-if": "error",
      "no-new-func": "error",
      "no-param-reassign": "error",
      "no-shadow": "error",
      "no-unneeded-ternary": "error",
      "no-unused-expressions": "error",
      "no-useless-concat": "error",
      "no-useless-rename": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-object-spread": "error",
      "prefer-template": "error",
    },
  },
  {
    files: ["frontend/**/*.js"],
    ignores: ["frontend/store.js", "frontend/layout/background/layout_worker.js"],
    rules: { "no-restricted-syntax": ["error", ...NO_STATE_OF_MODULES] },
  },
  { files: ["tests/**/*.js"], rules: { "no-shadow": "off" } }, // a test calls its things as the fixtures are called
  { files: ["tests/browser/**/measure_*.js"], rules: { "no-unused-expressions": "off" } }, // a function for the browser
  { files: ["scripts/*.mjs", "tests/frontend/layout/gallery.js"], rules: { "no-console": "off" } },
];
