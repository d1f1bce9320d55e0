import{a as o}from"./chunk-3Y5P2EMC.js";import"./chunk-BYXBJQAS.js";import"./chunk-HP3UQPSP.js";export{o as goTo};
