import{a as o}from"./chunk-YCRSD5S2.js";import"./chunk-BYXBJQAS.js";import"./chunk-REYWK5TW.js";export{o as goTo};
