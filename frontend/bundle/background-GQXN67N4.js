import{b as o,c as r}from"./chunk-7ZNBC5AH.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-IJKHH6T6.js";export{r as layoutInBackground,o as readGraph};
