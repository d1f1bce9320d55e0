import{a as o,b as r,c as m}from"./chunk-OR2PR6KS.js";import"./chunk-7ABRSIUP.js";import"./chunk-BYXBJQAS.js";import"./chunk-EYSISUUN.js";export{m as lessonOf,r as stayWith,o as walkThrough};
