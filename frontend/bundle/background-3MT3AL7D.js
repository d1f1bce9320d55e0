import{b as o,c as r}from"./chunk-VR5ZN2FZ.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-WYNSS2G2.js";export{r as layoutInBackground,o as readGraph};
