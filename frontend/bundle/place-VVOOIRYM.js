import{a as o}from"./chunk-XHMAQ7YV.js";import"./chunk-BYXBJQAS.js";import"./chunk-NNPLMLXJ.js";export{o as goTo};
