import{a as o,b as r}from"./chunk-Y5BZ5Z6U.js";import"./chunk-BYXBJQAS.js";import"./chunk-KBBYEBWA.js";export{r as computeGraph,o as giveToGraph};
