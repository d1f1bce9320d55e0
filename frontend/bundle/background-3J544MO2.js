import{b as o,c as r}from"./chunk-G5TDUWDR.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-Y6XRRQTK.js";export{r as layoutInBackground,o as readGraph};
