import{a as o,b as r}from"./chunk-QSB6DGTB.js";import"./chunk-BYXBJQAS.js";import"./chunk-WHIBBE4T.js";export{r as computeGraph,o as giveToGraph};
