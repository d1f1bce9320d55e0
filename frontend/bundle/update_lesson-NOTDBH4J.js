import{a as o,b as r}from"./chunk-SMXWVWLG.js";import"./chunk-P6KH67PR.js";import"./chunk-BYXBJQAS.js";import"./chunk-HP3UQPSP.js";export{r as lessonOf,o as walkThrough};
