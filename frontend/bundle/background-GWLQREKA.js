import{b as o,c as r}from"./chunk-KODQEV2M.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-JUUB2FEW.js";export{r as layoutInBackground,o as readGraph};
