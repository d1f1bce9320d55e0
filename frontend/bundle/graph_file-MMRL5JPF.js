import{a as o,b as r}from"./chunk-YFLGPD4P.js";import"./chunk-4DUZOWUF.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-QCYAK332.js";export{o as openGraph,r as openGraphAt};
