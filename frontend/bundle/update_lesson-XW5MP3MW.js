import{a as o,b as r,c as m}from"./chunk-YROEFHPW.js";import"./chunk-GVX622I4.js";import"./chunk-BYXBJQAS.js";import"./chunk-66ROD24Q.js";export{m as lessonOf,r as stayWith,o as walkThrough};
