import{jb as e,oa as r,pa as a}from"./chunk-Y6XRRQTK.js";var i=({kind:m,tensor:o})=>m==="quantity"&&o&&e.value?a(e.value).get(r(o)):void 0;export{i as a};
