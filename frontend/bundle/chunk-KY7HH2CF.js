import{wa as r,xa as a,yb as e}from"./chunk-CZYX64N2.js";var i=({kind:m,tensor:o})=>m==="quantity"&&o&&e.value?a(e.value).get(r(o)):void 0;export{i as a};
