import{b as o,c as r}from"./chunk-EEF65ZXI.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-KMJYRJDM.js";export{r as layoutInBackground,o as readGraph};
