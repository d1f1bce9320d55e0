import{a as o,b as r}from"./chunk-NKKHGDK5.js";import"./chunk-JOIAITFF.js";import"./chunk-BYXBJQAS.js";import"./chunk-T5R4UKT3.js";export{r as lessonOf,o as walkThrough};
