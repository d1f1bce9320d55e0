import{b as o,c as r}from"./chunk-OUWVV2UD.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-IDYJM7OP.js";export{r as layoutInBackground,o as readGraph};
