import{a as o,b as r,c as m}from"./chunk-3EVIKAPB.js";import"./chunk-4EFN4QAV.js";import"./chunk-BYXBJQAS.js";import"./chunk-IJKHH6T6.js";export{m as lessonOf,r as stayWith,o as walkThrough};
