import{b as o,c as r}from"./chunk-VZDFMDGO.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-OTOUZU4U.js";export{r as layoutInBackground,o as readGraph};
