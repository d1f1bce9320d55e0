import{a as o,b as r}from"./chunk-LCPR64A4.js";import"./chunk-4RXIAJ35.js";import"./chunk-BYXBJQAS.js";import"./chunk-JVHZKNEX.js";export{r as lessonOf,o as walkThrough};
