import{a as o,b as r,c as m}from"./chunk-TRHEJATP.js";import"./chunk-6M2NVUJ4.js";import"./chunk-BYXBJQAS.js";import"./chunk-NQADUV24.js";export{m as lessonOf,r as stayWith,o as walkThrough};
