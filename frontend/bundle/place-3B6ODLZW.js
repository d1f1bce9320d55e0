import{a as o}from"./chunk-TMCF6WPK.js";import"./chunk-BYXBJQAS.js";import"./chunk-4XIGN4IE.js";export{o as goTo};
