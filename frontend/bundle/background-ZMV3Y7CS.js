import{b as o,c as r}from"./chunk-PTQVFN4Z.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-NQADUV24.js";export{r as layoutInBackground,o as readGraph};
