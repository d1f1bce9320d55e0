import{a as o,b as r}from"./chunk-VM2NVFLY.js";import"./chunk-BYXBJQAS.js";import"./chunk-WAK4W36B.js";export{r as computeGraph,o as giveToGraph};
