import{a as o,b as r}from"./chunk-OMUYWYAL.js";import"./chunk-BYXBJQAS.js";import"./chunk-WM4TFCZD.js";export{r as computeGraph,o as giveToGraph};
