import{a as o,b as r}from"./chunk-HUU5SJGW.js";import"./chunk-BXO2JTNM.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-JVHZKNEX.js";export{o as openGraph,r as openGraphAt};
