import{a as o,b as r,c as m}from"./chunk-4QMZMGO5.js";import"./chunk-FTDEBOAK.js";import"./chunk-BYXBJQAS.js";import"./chunk-4XIGN4IE.js";export{m as lessonOf,r as stayWith,o as walkThrough};
