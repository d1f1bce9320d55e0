import{a as o}from"./chunk-ORVMO4PN.js";import"./chunk-BYXBJQAS.js";import"./chunk-66ROD24Q.js";export{o as goTo};
