import{a as o}from"./chunk-F6LPCVO5.js";import"./chunk-BYXBJQAS.js";import"./chunk-KMJYRJDM.js";export{o as goTo};
