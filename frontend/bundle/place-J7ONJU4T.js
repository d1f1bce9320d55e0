import{a as o}from"./chunk-GZHDAGL3.js";import"./chunk-BYXBJQAS.js";import"./chunk-CZYX64N2.js";export{o as goTo};
