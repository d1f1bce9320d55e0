import"./chunk-JI4SEXWY.js";import"./chunk-GMZBDT46.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-JVHZKNEX.js";
