import{a as o,b as r,c as m}from"./chunk-M2BQ3XBZ.js";import"./chunk-XZZ7RKQZ.js";import"./chunk-BYXBJQAS.js";import"./chunk-FZ6VZXKF.js";export{m as lessonOf,r as stayWith,o as walkThrough};
