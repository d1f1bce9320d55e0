import{a as o}from"./chunk-H3QZLD47.js";import"./chunk-BYXBJQAS.js";import"./chunk-4MDZYUI4.js";export{o as goTo};
