import{a as o,b as r,c as m}from"./chunk-MCNPJH3I.js";import"./chunk-RCTX3DWL.js";import"./chunk-BYXBJQAS.js";import"./chunk-6YQWBLCJ.js";export{m as lessonOf,r as stayWith,o as walkThrough};
