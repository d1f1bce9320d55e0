import{a as o}from"./chunk-AZ3QPA6U.js";import"./chunk-BYXBJQAS.js";import"./chunk-5PLI26NV.js";export{o as goTo};
