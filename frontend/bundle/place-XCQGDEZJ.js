import{a as o}from"./chunk-6CSPZNEW.js";import"./chunk-BYXBJQAS.js";import"./chunk-TXL7WWYH.js";export{o as goTo};
