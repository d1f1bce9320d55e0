import{a as o,b as r,c as m}from"./chunk-XPNNSG2Y.js";import"./chunk-MTOIBGEW.js";import"./chunk-BYXBJQAS.js";import"./chunk-ENLJTEME.js";export{m as lessonOf,r as stayWith,o as walkThrough};
