import{b as o,c as r}from"./chunk-JDMNNUW5.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-HP3UQPSP.js";export{r as layoutInBackground,o as readGraph};
