import{a as o,b as r}from"./chunk-QL63FSMS.js";import"./chunk-BYXBJQAS.js";import"./chunk-KMJYRJDM.js";export{r as computeGraph,o as giveToGraph};
