import{a as o,b as r,c as m}from"./chunk-2FT25YXA.js";import"./chunk-XBOQ6QF5.js";import"./chunk-BYXBJQAS.js";import"./chunk-OY3JWVDV.js";export{m as lessonOf,r as stayWith,o as walkThrough};
