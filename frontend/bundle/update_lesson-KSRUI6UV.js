import{a as o,b as r,c as m}from"./chunk-36L75Q7S.js";import"./chunk-5HQQZ6ZY.js";import"./chunk-BYXBJQAS.js";import"./chunk-KBBYEBWA.js";export{m as lessonOf,r as stayWith,o as walkThrough};
