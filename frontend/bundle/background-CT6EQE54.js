import{b as o,c as r}from"./chunk-ZC7N52KO.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-KBBYEBWA.js";export{r as layoutInBackground,o as readGraph};
