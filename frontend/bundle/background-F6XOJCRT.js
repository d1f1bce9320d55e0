import{b as o,c as r}from"./chunk-DP74SMRW.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-66ROD24Q.js";export{r as layoutInBackground,o as readGraph};
