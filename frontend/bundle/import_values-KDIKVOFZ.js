import{a as o,b as r}from"./chunk-5JJ5QHKZ.js";import"./chunk-BYXBJQAS.js";import"./chunk-EYSISUUN.js";export{r as computeGraph,o as giveToGraph};
