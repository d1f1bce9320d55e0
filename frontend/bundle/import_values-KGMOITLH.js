import{a as o,b as r}from"./chunk-FU6Z3WLV.js";import"./chunk-BYXBJQAS.js";import"./chunk-7NGSZPYR.js";export{r as computeGraph,o as giveToGraph};
