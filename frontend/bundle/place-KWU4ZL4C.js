import{a as o}from"./chunk-UWOFQVSY.js";import"./chunk-BYXBJQAS.js";import"./chunk-Y6XRRQTK.js";export{o as goTo};
