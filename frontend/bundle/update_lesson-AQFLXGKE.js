import{a as o,b as r,c as m}from"./chunk-BIDHNVXJ.js";import"./chunk-ABJIY6SM.js";import"./chunk-BYXBJQAS.js";import"./chunk-THU7PEEX.js";export{m as lessonOf,r as stayWith,o as walkThrough};
