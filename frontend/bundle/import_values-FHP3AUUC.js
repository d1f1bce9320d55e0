import{a as o,b as r}from"./chunk-63CH3PU3.js";import"./chunk-BYXBJQAS.js";import"./chunk-6YQWBLCJ.js";export{r as computeGraph,o as giveToGraph};
