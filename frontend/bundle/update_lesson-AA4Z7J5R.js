import{a as o,b as r,c as m}from"./chunk-DMEOJYQE.js";import"./chunk-PQNPA2UX.js";import"./chunk-BYXBJQAS.js";import"./chunk-Y6XRRQTK.js";export{m as lessonOf,r as stayWith,o as walkThrough};
