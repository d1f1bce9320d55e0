import{a as o,b as r,c as m}from"./chunk-35FBJRNX.js";import"./chunk-NZQKQM2D.js";import"./chunk-BYXBJQAS.js";import"./chunk-IDYJM7OP.js";export{m as lessonOf,r as stayWith,o as walkThrough};
