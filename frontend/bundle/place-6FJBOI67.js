import{a as o}from"./chunk-5K3R73OB.js";import"./chunk-BYXBJQAS.js";import"./chunk-IJZHCSMF.js";export{o as goTo};
