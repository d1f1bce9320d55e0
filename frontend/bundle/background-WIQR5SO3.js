import{b as o,c as r}from"./chunk-WWPCMLAO.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-W2WFKJXK.js";export{r as layoutInBackground,o as readGraph};
