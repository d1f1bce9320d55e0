import{a as o,b as r}from"./chunk-PLUHSGD4.js";import"./chunk-BYXBJQAS.js";import"./chunk-OTOUZU4U.js";export{r as computeGraph,o as giveToGraph};
