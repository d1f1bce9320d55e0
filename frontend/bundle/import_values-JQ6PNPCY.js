import{a as o,b as r}from"./chunk-C2S27KGC.js";import"./chunk-BYXBJQAS.js";import"./chunk-66ROD24Q.js";export{r as computeGraph,o as giveToGraph};
