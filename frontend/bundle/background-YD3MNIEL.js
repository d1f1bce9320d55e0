import{b as o,c as r}from"./chunk-ZOTTEXQT.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-74USUZWI.js";export{r as layoutInBackground,o as readGraph};
