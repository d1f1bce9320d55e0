import{a as o}from"./chunk-P6LCHJHG.js";import"./chunk-BYXBJQAS.js";import"./chunk-WYNSS2G2.js";export{o as goTo};
