import{a as o,b as r,c as m}from"./chunk-S6EUCUK7.js";import"./chunk-XZVU6HV3.js";import"./chunk-BYXBJQAS.js";import"./chunk-GZU6TPZF.js";export{m as lessonOf,r as stayWith,o as walkThrough};
