import{a as o,b as r,c as m}from"./chunk-A6SEYERW.js";import"./chunk-E2HU7YVW.js";import"./chunk-BYXBJQAS.js";import"./chunk-2RZTCYEV.js";export{m as lessonOf,r as stayWith,o as walkThrough};
