import{a as o,b as r,c as m}from"./chunk-WIFWWA4E.js";import"./chunk-CDTB6ZG6.js";import"./chunk-BYXBJQAS.js";import"./chunk-CZYX64N2.js";export{m as lessonOf,r as stayWith,o as walkThrough};
