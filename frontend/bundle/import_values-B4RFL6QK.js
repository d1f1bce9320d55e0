import{a as o,b as r}from"./chunk-R6CZ6WWT.js";import"./chunk-BYXBJQAS.js";import"./chunk-WYNSS2G2.js";export{r as computeGraph,o as giveToGraph};
