import{a as o,b as r,c as m}from"./chunk-DC77N2FO.js";import"./chunk-FGPXXXE6.js";import"./chunk-BYXBJQAS.js";import"./chunk-IJZHCSMF.js";export{m as lessonOf,r as stayWith,o as walkThrough};
