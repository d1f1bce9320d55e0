import"./chunk-EJDQV2Z5.js";import"./chunk-X2SIYMRM.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import"./chunk-QCYAK332.js";
