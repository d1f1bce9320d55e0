import{b as o,c as r}from"./chunk-GBHWYS5X.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-OY3JWVDV.js";export{r as layoutInBackground,o as readGraph};
