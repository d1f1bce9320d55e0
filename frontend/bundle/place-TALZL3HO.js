import{a as o}from"./chunk-HTJCPLEL.js";import"./chunk-BYXBJQAS.js";import"./chunk-2BHWEDA2.js";export{o as goTo};
