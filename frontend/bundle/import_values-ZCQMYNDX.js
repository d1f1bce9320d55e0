import{a as o,b as r}from"./chunk-22AURRL4.js";import"./chunk-BYXBJQAS.js";import"./chunk-RIOZW6ED.js";export{r as computeGraph,o as giveToGraph};
