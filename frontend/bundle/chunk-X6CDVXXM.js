import{ab as e,ga as r,ha as a}from"./chunk-2BHWEDA2.js";var i=({kind:m,tensor:o})=>m==="quantity"&&o&&e.value?a(e.value).get(r(o)):void 0;export{i as a};
