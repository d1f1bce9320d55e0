import{a as o}from"./chunk-NVWYVBWN.js";import"./chunk-BYXBJQAS.js";import"./chunk-OTOUZU4U.js";export{o as goTo};
