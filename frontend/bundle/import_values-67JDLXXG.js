import{a as o,b as r}from"./chunk-33FEJX7L.js";import"./chunk-BYXBJQAS.js";import"./chunk-TXL7WWYH.js";export{r as computeGraph,o as giveToGraph};
