import{a as o}from"./chunk-3Y5P2EMC.js";import"./chunk-QH52YK54.js";import"./chunk-6XXG7GIT.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-HP3UQPSP.js";export{o as goTo};
