import{b as o,c as r}from"./chunk-GASBJYOG.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-TXL7WWYH.js";export{r as layoutInBackground,o as readGraph};
