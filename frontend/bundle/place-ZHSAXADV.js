import{a as o}from"./chunk-KVJWZFYJ.js";import"./chunk-BYXBJQAS.js";import"./chunk-OY3JWVDV.js";export{o as goTo};
