import{a as o}from"./chunk-YALPZO65.js";import"./chunk-BYXBJQAS.js";import"./chunk-THU7PEEX.js";export{o as goTo};
