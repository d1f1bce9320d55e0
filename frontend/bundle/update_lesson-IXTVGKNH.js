import{a as o,b as r,c as m}from"./chunk-HETWTKCM.js";import"./chunk-P7T2RJST.js";import"./chunk-BYXBJQAS.js";import"./chunk-7NGSZPYR.js";export{m as lessonOf,r as stayWith,o as walkThrough};
