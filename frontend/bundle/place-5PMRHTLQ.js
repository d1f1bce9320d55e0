import{a as o}from"./chunk-MFYBGP5D.js";import"./chunk-BYXBJQAS.js";import"./chunk-74USUZWI.js";export{o as goTo};
