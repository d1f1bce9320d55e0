import{a as o}from"./chunk-WUDLSXQU.js";import"./chunk-BYXBJQAS.js";import"./chunk-YAMPNFKC.js";export{o as goTo};
