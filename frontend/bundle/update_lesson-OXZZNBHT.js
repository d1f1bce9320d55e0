import{a as o,b as r,c as m}from"./chunk-OEM23O2I.js";import"./chunk-2SCDGZP3.js";import"./chunk-BYXBJQAS.js";import"./chunk-TXL7WWYH.js";export{m as lessonOf,r as stayWith,o as walkThrough};
