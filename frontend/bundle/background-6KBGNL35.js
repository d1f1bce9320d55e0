import{b as o,c as r}from"./chunk-43NPZJB4.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-IJZHCSMF.js";export{r as layoutInBackground,o as readGraph};
