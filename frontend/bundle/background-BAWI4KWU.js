import{b as o,c as r}from"./chunk-X4UZW6UZ.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-Y6CY4REA.js";export{r as layoutInBackground,o as readGraph};
