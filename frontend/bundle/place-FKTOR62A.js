import{a as o}from"./chunk-MTMPKNGJ.js";import"./chunk-BYXBJQAS.js";import"./chunk-W2WFKJXK.js";export{o as goTo};
