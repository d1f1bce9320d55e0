import{b as o,c as r}from"./chunk-7CBLO6LV.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-THU7PEEX.js";export{r as layoutInBackground,o as readGraph};
