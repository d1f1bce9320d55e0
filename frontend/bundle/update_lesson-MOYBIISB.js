import{a as o,b as r,c as m}from"./chunk-TRMU2LRW.js";import"./chunk-EGNQSI7Y.js";import"./chunk-BYXBJQAS.js";import"./chunk-NNPLMLXJ.js";export{m as lessonOf,r as stayWith,o as walkThrough};
