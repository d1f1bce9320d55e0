import{a as o,b as r}from"./chunk-6RXDE2ZA.js";import"./chunk-BYXBJQAS.js";import"./chunk-CZYX64N2.js";export{r as computeGraph,o as giveToGraph};
