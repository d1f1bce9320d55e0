import{a as o}from"./chunk-3CFTM7EZ.js";import"./chunk-BYXBJQAS.js";import"./chunk-NQADUV24.js";export{o as goTo};
