import{a as o,b as r,c as m}from"./chunk-CQDJDS6Y.js";import"./chunk-GJLDPNF4.js";import"./chunk-BYXBJQAS.js";import"./chunk-4MDZYUI4.js";export{m as lessonOf,r as stayWith,o as walkThrough};
