import{a as o,b as r}from"./chunk-ENGZUJ5F.js";import"./chunk-BYXBJQAS.js";import"./chunk-YAMPNFKC.js";export{r as computeGraph,o as giveToGraph};
