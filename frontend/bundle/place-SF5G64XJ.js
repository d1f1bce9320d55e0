import{a as o}from"./chunk-23J36WJ5.js";import"./chunk-BYXBJQAS.js";import"./chunk-IJKHH6T6.js";export{o as goTo};
