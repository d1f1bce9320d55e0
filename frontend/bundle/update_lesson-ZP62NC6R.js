import{a as o,b as r,c as m}from"./chunk-TVMPIBWW.js";import"./chunk-DEZUDPKT.js";import"./chunk-BYXBJQAS.js";import"./chunk-WAK4W36B.js";export{m as lessonOf,r as stayWith,o as walkThrough};
