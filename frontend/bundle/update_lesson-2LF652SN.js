import{a as o,b as r,c as m}from"./chunk-IYCFM4O5.js";import"./chunk-GG2KHEKU.js";import"./chunk-BYXBJQAS.js";import"./chunk-OTOUZU4U.js";export{m as lessonOf,r as stayWith,o as walkThrough};
