import{a as o}from"./chunk-G3IXD25I.js";import"./chunk-BYXBJQAS.js";import"./chunk-Y6CY4REA.js";export{o as goTo};
