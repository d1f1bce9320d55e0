import{a as o}from"./chunk-MR4X5TGV.js";import"./chunk-BYXBJQAS.js";import"./chunk-WAK4W36B.js";export{o as goTo};
