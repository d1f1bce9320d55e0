import{a as o,b as r}from"./chunk-Y5ULXNY7.js";import"./chunk-BYXBJQAS.js";import"./chunk-NNPLMLXJ.js";export{r as computeGraph,o as giveToGraph};
