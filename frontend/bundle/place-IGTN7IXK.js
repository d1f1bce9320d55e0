import{a as o}from"./chunk-RKCU3UAJ.js";import"./chunk-BYXBJQAS.js";import"./chunk-RIOZW6ED.js";export{o as goTo};
