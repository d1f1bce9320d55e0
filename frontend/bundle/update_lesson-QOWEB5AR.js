import{a as o,b as r,c as m}from"./chunk-CIQ5NYEC.js";import"./chunk-BCKZCYRR.js";import"./chunk-BYXBJQAS.js";import"./chunk-WHIBBE4T.js";export{m as lessonOf,r as stayWith,o as walkThrough};
