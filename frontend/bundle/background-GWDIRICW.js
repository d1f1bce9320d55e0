import{b as o,c as r}from"./chunk-3DKBSOQ6.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-T5R4UKT3.js";export{r as layoutInBackground,o as readGraph};
