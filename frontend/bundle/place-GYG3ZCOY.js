import{a as o}from"./chunk-TPWLBQZK.js";import"./chunk-BYXBJQAS.js";import"./chunk-JVHZKNEX.js";export{o as goTo};
