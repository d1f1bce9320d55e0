import{ib as e,na as r,oa as a}from"./chunk-REYWK5TW.js";var i=({kind:m,tensor:o})=>m==="quantity"&&o&&e.value?a(e.value).get(r(o)):void 0;export{i as a};
