import{a as o}from"./chunk-PZ5WZVPT.js";import"./chunk-BYXBJQAS.js";import"./chunk-2RZTCYEV.js";export{o as goTo};
