import{Ma as e,aa as r,ba as a}from"./chunk-T5R4UKT3.js";var i=({kind:m,tensor:o})=>m==="quantity"&&o&&e.value?a(e.value).get(r(o)):void 0;export{i as a};
