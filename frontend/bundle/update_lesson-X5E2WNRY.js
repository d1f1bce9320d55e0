import{a as o,b as r,c as m}from"./chunk-A6K7BUJD.js";import"./chunk-ATHBXPR3.js";import"./chunk-BYXBJQAS.js";import"./chunk-KMJYRJDM.js";export{m as lessonOf,r as stayWith,o as walkThrough};
