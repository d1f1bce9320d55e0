import{a as o,b as r,c as m}from"./chunk-RRBY3AXH.js";import"./chunk-QKEOFUBH.js";import"./chunk-BYXBJQAS.js";import"./chunk-YAMPNFKC.js";export{m as lessonOf,r as stayWith,o as walkThrough};
