import{a as o,b as r,c as m}from"./chunk-DH5A7SMV.js";import"./chunk-E6M6PKZF.js";import"./chunk-BYXBJQAS.js";import"./chunk-74USUZWI.js";export{m as lessonOf,r as stayWith,o as walkThrough};
