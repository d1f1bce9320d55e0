import{b as o,c as r}from"./chunk-MIX4OWMK.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-CZYX64N2.js";export{r as layoutInBackground,o as readGraph};
