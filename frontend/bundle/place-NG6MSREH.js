import{a as o}from"./chunk-JYHEHHK3.js";import"./chunk-BYXBJQAS.js";import"./chunk-7NGSZPYR.js";export{o as goTo};
