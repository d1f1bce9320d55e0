import{a as o,b as r}from"./chunk-IW23HB5W.js";import"./chunk-BYXBJQAS.js";import"./chunk-Y6CY4REA.js";export{r as computeGraph,o as giveToGraph};
