import{a as o,b as r,c as m}from"./chunk-EMHIWATZ.js";import"./chunk-S42J4NGY.js";import"./chunk-BYXBJQAS.js";import"./chunk-W2WFKJXK.js";export{m as lessonOf,r as stayWith,o as walkThrough};
