import{a as o,b as r,c as m}from"./chunk-QOGTFU3I.js";import"./chunk-LIQHA6XC.js";import"./chunk-BYXBJQAS.js";import"./chunk-5PLI26NV.js";export{m as lessonOf,r as stayWith,o as walkThrough};
