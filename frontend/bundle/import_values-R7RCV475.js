import{a as o,b as r}from"./chunk-XK5AD276.js";import"./chunk-BYXBJQAS.js";import"./chunk-4XIGN4IE.js";export{r as computeGraph,o as giveToGraph};
