import{a as o,b as r}from"./chunk-BKSHXGMX.js";import"./chunk-BYXBJQAS.js";import"./chunk-DVS56BOE.js";export{r as computeGraph,o as giveToGraph};
