import{b as o,c as r}from"./chunk-BXO2JTNM.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-JVHZKNEX.js";export{r as layoutInBackground,o as readGraph};
