import"./chunk-QH52YK54.js";import"./chunk-6XXG7GIT.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-HP3UQPSP.js";
