import{b as o,c as r}from"./chunk-MRLAJXUN.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-WAK4W36B.js";export{r as layoutInBackground,o as readGraph};
