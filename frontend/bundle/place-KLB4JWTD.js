import{a as o}from"./chunk-FKX4S3UG.js";import"./chunk-BYXBJQAS.js";import"./chunk-FZ6VZXKF.js";export{o as goTo};
