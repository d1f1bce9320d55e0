import{a as o,b as r}from"./chunk-OX4BZUKX.js";import"./chunk-BYXBJQAS.js";import"./chunk-5PLI26NV.js";export{r as computeGraph,o as giveToGraph};
