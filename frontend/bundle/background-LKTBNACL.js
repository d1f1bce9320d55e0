import{b as o,c as r}from"./chunk-ARKYC64M.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-4XIGN4IE.js";export{r as layoutInBackground,o as readGraph};
