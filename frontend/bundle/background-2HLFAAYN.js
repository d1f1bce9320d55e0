import{b as o,c as r}from"./chunk-4H52DNDJ.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-JGY44R24.js";export{r as layoutInBackground,o as readGraph};
