import{a as o}from"./chunk-3XNPFB4Z.js";import"./chunk-BYXBJQAS.js";import"./chunk-WHIBBE4T.js";export{o as goTo};
