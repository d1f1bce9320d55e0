import{a as o,b as r,c as m}from"./chunk-DH2JRBUD.js";import"./chunk-3FMM5V5Z.js";import"./chunk-BYXBJQAS.js";import"./chunk-RIOZW6ED.js";export{m as lessonOf,r as stayWith,o as walkThrough};
