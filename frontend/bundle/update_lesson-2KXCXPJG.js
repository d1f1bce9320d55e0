import{a as o,b as r}from"./chunk-ZH2WCM5O.js";import"./chunk-7IFMRS3X.js";import"./chunk-BYXBJQAS.js";import"./chunk-QCYAK332.js";export{r as lessonOf,o as walkThrough};
