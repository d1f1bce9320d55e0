import{a as o}from"./chunk-L7TAEYYF.js";import"./chunk-BYXBJQAS.js";import"./chunk-IDYJM7OP.js";export{o as goTo};
