import{a as o}from"./chunk-VXGYITE5.js";import"./chunk-BYXBJQAS.js";import"./chunk-WM4TFCZD.js";export{o as goTo};
