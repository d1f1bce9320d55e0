import{a as o}from"./chunk-WRP2RN4V.js";import"./chunk-BYXBJQAS.js";import"./chunk-ENLJTEME.js";export{o as goTo};
