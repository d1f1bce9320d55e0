import{a as o,b as r}from"./chunk-X4QOMB33.js";import"./chunk-BYXBJQAS.js";import"./chunk-OY3JWVDV.js";export{r as computeGraph,o as giveToGraph};
