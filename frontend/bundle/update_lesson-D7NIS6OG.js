import{a as o,b as r,c as m}from"./chunk-NDLELGZC.js";import"./chunk-W4HXKPDL.js";import"./chunk-BYXBJQAS.js";import"./chunk-WYNSS2G2.js";export{m as lessonOf,r as stayWith,o as walkThrough};
