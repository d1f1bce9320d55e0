import{a as o,b as r}from"./chunk-XI4ZF3AO.js";import"./chunk-BYXBJQAS.js";import"./chunk-GZU6TPZF.js";export{r as computeGraph,o as giveToGraph};
