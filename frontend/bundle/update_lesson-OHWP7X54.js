import{a as o,b as r,c as m}from"./chunk-2HKAH2IY.js";import"./chunk-RXKCF7CS.js";import"./chunk-BYXBJQAS.js";import"./chunk-JUUB2FEW.js";export{m as lessonOf,r as stayWith,o as walkThrough};
