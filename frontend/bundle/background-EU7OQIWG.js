import{b as o,c as r}from"./chunk-D7X3NYQB.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-GZU6TPZF.js";export{r as layoutInBackground,o as readGraph};
