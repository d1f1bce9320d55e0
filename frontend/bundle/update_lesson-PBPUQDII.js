import{a as o,b as r,c as m}from"./chunk-HUXIKTJR.js";import"./chunk-MKOH24ZH.js";import"./chunk-BYXBJQAS.js";import"./chunk-5GYN6AVJ.js";export{m as lessonOf,r as stayWith,o as walkThrough};
