import{a as o}from"./chunk-2R3T3XSL.js";import"./chunk-BYXBJQAS.js";import"./chunk-QCYAK332.js";export{o as goTo};
