import{wa as r,xa as a,zb as e}from"./chunk-FZ6VZXKF.js";var i=({kind:m,tensor:o})=>m==="quantity"&&o&&e.value?a(e.value).get(r(o)):void 0;export{i as a};
