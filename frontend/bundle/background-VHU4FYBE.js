import{b as o,c as r}from"./chunk-KDJTGBWS.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-7NGSZPYR.js";export{r as layoutInBackground,o as readGraph};
