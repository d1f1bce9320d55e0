import{a as o,b as r}from"./chunk-B7YKSM3G.js";import"./chunk-JJQHX6XM.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-2BHWEDA2.js";export{o as openGraph,r as openGraphAt};
