import{a as o,b as r}from"./chunk-LOOXHPYS.js";import"./chunk-BYXBJQAS.js";import"./chunk-5GYN6AVJ.js";export{r as computeGraph,o as giveToGraph};
