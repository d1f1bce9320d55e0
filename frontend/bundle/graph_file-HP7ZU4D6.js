import{a as o,b as r}from"./chunk-LID5SK42.js";import"./chunk-3DKBSOQ6.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-T5R4UKT3.js";export{o as openGraph,r as openGraphAt};
