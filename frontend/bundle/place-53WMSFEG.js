import{a as o}from"./chunk-AJTIZ74D.js";import"./chunk-BYXBJQAS.js";import"./chunk-JUUB2FEW.js";export{o as goTo};
