import{b as o,c as r}from"./chunk-GJXXSCOD.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-WM4TFCZD.js";export{r as layoutInBackground,o as readGraph};
