import{a as o,b as r,c as m}from"./chunk-SFZU32SB.js";import"./chunk-CHGAVGIA.js";import"./chunk-BYXBJQAS.js";import"./chunk-Y6CY4REA.js";export{m as lessonOf,r as stayWith,o as walkThrough};
