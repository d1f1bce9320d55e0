import{a as o,b as r,c as m}from"./chunk-COX2TQXB.js";import"./chunk-VFIMECYF.js";import"./chunk-BYXBJQAS.js";import"./chunk-WM4TFCZD.js";export{m as lessonOf,r as stayWith,o as walkThrough};
