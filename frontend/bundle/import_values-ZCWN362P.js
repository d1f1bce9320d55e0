import{a as o,b as r}from"./chunk-UHTPJTWD.js";import"./chunk-BYXBJQAS.js";import"./chunk-2RZTCYEV.js";export{r as computeGraph,o as giveToGraph};
