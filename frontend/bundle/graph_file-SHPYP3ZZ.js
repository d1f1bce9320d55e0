import{a as o,b as r}from"./chunk-UNQ7ICG4.js";import"./chunk-PTQVFN4Z.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-NQADUV24.js";export{o as openGraph,r as openGraphAt};
