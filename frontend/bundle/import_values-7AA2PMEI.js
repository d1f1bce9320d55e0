import{a as o,b as r}from"./chunk-SETMOSPH.js";import"./chunk-BYXBJQAS.js";import"./chunk-THU7PEEX.js";export{r as computeGraph,o as giveToGraph};
