import{a as o,b as r}from"./chunk-CB5DLHB6.js";import"./chunk-BYXBJQAS.js";import"./chunk-FZ6VZXKF.js";export{r as computeGraph,o as giveToGraph};
