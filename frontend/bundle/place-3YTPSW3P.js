import{a as o}from"./chunk-WDMIH2DO.js";import"./chunk-BYXBJQAS.js";import"./chunk-5GYN6AVJ.js";export{o as goTo};
