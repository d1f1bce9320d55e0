import{a as o,b as r,c as m}from"./chunk-HWUP7CW6.js";import"./chunk-GH7AWJPK.js";import"./chunk-BYXBJQAS.js";import"./chunk-REYWK5TW.js";export{m as lessonOf,r as stayWith,o as walkThrough};
