import{a as o,b as r}from"./chunk-KYRGBYOU.js";import"./chunk-BYXBJQAS.js";import"./chunk-74USUZWI.js";export{r as computeGraph,o as giveToGraph};
