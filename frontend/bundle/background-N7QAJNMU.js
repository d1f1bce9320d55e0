import{b as o,c as r}from"./chunk-RGK5R3JC.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-2RZTCYEV.js";export{r as layoutInBackground,o as readGraph};
