import{a as o}from"./chunk-LZW66E3V.js";import"./chunk-XL4YWPU3.js";import"./chunk-BHPPN3ZU.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-T5R4UKT3.js";export{o as goTo};
