import{b as o,c as r}from"./chunk-V6VBZJNE.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-EYSISUUN.js";export{r as layoutInBackground,o as readGraph};
