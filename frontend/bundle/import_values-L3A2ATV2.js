import{a as o,b as r}from"./chunk-47ZSB5JQ.js";import"./chunk-BYXBJQAS.js";import"./chunk-JUUB2FEW.js";export{r as computeGraph,o as giveToGraph};
