import{a as o,b as r}from"./chunk-P2W6URTE.js";import"./chunk-OUWVV2UD.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-IDYJM7OP.js";export{o as openGraph,r as openGraphAt};
