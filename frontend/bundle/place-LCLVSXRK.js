import{a as o}from"./chunk-LGUE2V4T.js";import"./chunk-BYXBJQAS.js";import"./chunk-JGY44R24.js";export{o as goTo};
