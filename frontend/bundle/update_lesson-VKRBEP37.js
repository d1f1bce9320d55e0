import{a as o,b as r,c as m}from"./chunk-E37F7EMV.js";import"./chunk-ZCROXYOZ.js";import"./chunk-BYXBJQAS.js";import"./chunk-2BHWEDA2.js";export{m as lessonOf,r as stayWith,o as walkThrough};
