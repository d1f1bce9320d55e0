import{a as o,b as r,c as m}from"./chunk-YCHJLBKW.js";import"./chunk-33APW5VQ.js";import"./chunk-BYXBJQAS.js";import"./chunk-LXGLTO7S.js";export{m as lessonOf,r as stayWith,o as walkThrough};
