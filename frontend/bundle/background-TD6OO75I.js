import{b as o,c as r}from"./chunk-4DUZOWUF.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-QCYAK332.js";export{r as layoutInBackground,o as readGraph};
