import{b as o,c as r}from"./chunk-UIVTUQOK.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-5PLI26NV.js";export{r as layoutInBackground,o as readGraph};
