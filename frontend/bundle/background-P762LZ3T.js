import{b as o,c as r}from"./chunk-COW5PLYN.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-YAMPNFKC.js";export{r as layoutInBackground,o as readGraph};
