import{a as o}from"./chunk-GCZMY5XC.js";import"./chunk-BYXBJQAS.js";import"./chunk-LXGLTO7S.js";export{o as goTo};
