import{b as o,c as r}from"./chunk-QJ2VHE73.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-ENLJTEME.js";export{r as layoutInBackground,o as readGraph};
