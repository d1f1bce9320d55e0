import{a as o}from"./chunk-LZW66E3V.js";import"./chunk-BYXBJQAS.js";import"./chunk-T5R4UKT3.js";export{o as goTo};
