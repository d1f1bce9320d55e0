import{a as o,b as r}from"./chunk-CWA2OYBB.js";import"./chunk-BYXBJQAS.js";import"./chunk-W2WFKJXK.js";export{r as computeGraph,o as giveToGraph};
