import{b as o,c as r}from"./chunk-JJQHX6XM.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-2BHWEDA2.js";export{r as layoutInBackground,o as readGraph};
