import{a as o,b as r}from"./chunk-L64P7C4T.js";import"./chunk-BYXBJQAS.js";import"./chunk-JGY44R24.js";export{r as computeGraph,o as giveToGraph};
