import{a as o}from"./chunk-T4SJL24W.js";import"./chunk-BYXBJQAS.js";import"./chunk-GZU6TPZF.js";export{o as goTo};
