import{a as o,b as r}from"./chunk-XTQCF4QH.js";import"./chunk-BYXBJQAS.js";import"./chunk-LXGLTO7S.js";export{r as computeGraph,o as giveToGraph};
