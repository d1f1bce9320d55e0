import{a as o}from"./chunk-URL4YO3R.js";import"./chunk-BYXBJQAS.js";import"./chunk-KBBYEBWA.js";export{o as goTo};
