import{a as o}from"./chunk-VXPG4ATE.js";import"./chunk-BYXBJQAS.js";import"./chunk-6YQWBLCJ.js";export{o as goTo};
