import{b as o,c as r}from"./chunk-4DJVNM6D.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-6YQWBLCJ.js";export{r as layoutInBackground,o as readGraph};
