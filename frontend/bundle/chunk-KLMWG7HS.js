import{ab as e,ga as r,ha as a}from"./chunk-NQADUV24.js";var i=({kind:m,tensor:o})=>m==="quantity"&&o&&e.value?a(e.value).get(r(o)):void 0;export{i as a};
