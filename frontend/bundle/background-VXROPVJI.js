import{b as o,c as r}from"./chunk-N63XH4NY.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-REYWK5TW.js";export{r as layoutInBackground,o as readGraph};
