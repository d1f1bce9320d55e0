import{a as o}from"./chunk-LRUANSRY.js";import"./chunk-BYXBJQAS.js";import"./chunk-EYSISUUN.js";export{o as goTo};
