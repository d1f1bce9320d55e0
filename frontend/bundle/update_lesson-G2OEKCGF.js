import{a as o,b as r,c as m}from"./chunk-GAT6RT76.js";import"./chunk-D3MVXGX5.js";import"./chunk-BYXBJQAS.js";import"./chunk-JGY44R24.js";export{m as lessonOf,r as stayWith,o as walkThrough};
