import{a as o,b as r,c as m}from"./chunk-36SFNK3D.js";import"./chunk-A4E4KRSV.js";import"./chunk-BYXBJQAS.js";import"./chunk-DVS56BOE.js";export{m as lessonOf,r as stayWith,o as walkThrough};
