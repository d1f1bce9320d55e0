import{b as o,c as r}from"./chunk-YWTJXTRG.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-RIOZW6ED.js";export{r as layoutInBackground,o as readGraph};
