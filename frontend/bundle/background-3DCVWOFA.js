import{b as o,c as r}from"./chunk-TG4QNFZN.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-4MDZYUI4.js";export{r as layoutInBackground,o as readGraph};
