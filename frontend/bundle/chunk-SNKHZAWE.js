import{va as r,wa as a,xb as e}from"./chunk-5PLI26NV.js";var i=({kind:m,tensor:o})=>m==="quantity"&&o&&e.value?a(e.value).get(r(o)):void 0;export{i as a};
