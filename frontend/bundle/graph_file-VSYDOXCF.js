import{a as o,b as r}from"./chunk-OZDRAO2D.js";import"./chunk-JDMNNUW5.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-HP3UQPSP.js";export{o as openGraph,r as openGraphAt};
