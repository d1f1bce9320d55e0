import{a as o,b as r}from"./chunk-P4D7O4AQ.js";import"./chunk-BYXBJQAS.js";import"./chunk-ENLJTEME.js";export{r as computeGraph,o as giveToGraph};
