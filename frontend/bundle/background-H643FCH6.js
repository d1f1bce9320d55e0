import{b as o,c as r}from"./chunk-2S7WRJTH.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-FZ6VZXKF.js";export{r as layoutInBackground,o as readGraph};
