import{a as o}from"./chunk-5D6D33QK.js";import"./chunk-BYXBJQAS.js";import"./chunk-DVS56BOE.js";export{o as goTo};
