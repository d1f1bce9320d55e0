import{b as o,c as r}from"./chunk-CK3EH5V5.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-5GYN6AVJ.js";export{r as layoutInBackground,o as readGraph};
