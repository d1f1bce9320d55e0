import{b as o,c as r}from"./chunk-ENWNF7DE.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-WHIBBE4T.js";export{r as layoutInBackground,o as readGraph};
