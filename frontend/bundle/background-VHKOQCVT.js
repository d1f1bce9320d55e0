import{b as o,c as r}from"./chunk-5AZSMZMY.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-LXGLTO7S.js";export{r as layoutInBackground,o as readGraph};
