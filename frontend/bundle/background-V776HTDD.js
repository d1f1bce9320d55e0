import{b as o,c as r}from"./chunk-AKXF3PO6.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-NNPLMLXJ.js";export{r as layoutInBackground,o as readGraph};
