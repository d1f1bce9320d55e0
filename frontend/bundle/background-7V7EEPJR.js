import{b as o,c as r}from"./chunk-LM25FDWH.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-DVS56BOE.js";export{r as layoutInBackground,o as readGraph};
