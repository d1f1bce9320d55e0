import"./chunk-NZUH6ST5.js";import"./chunk-JSW6NMRF.js";import"./chunk-SDKYGXRI.js";import"./chunk-GP77F7ZG.js";import"./chunk-KR2WPL2N.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{Ja as u,Ma as l,Na as a,Y as m,dc as o,fc as i,lc as f}from"./chunk-IJKHH6T6.js";function c({kind:p,value:t,items:r,tensor:e}){if(r){let n=r.map(c).join(", ");return p==="tuple"?`(${n})`:`[${n}]`}return t==null?e??p:m(t)}var s=class extends f{render(){let{program:t}=u.value;if(!t)return i;let{printed:r,result:e}=t,n=o`<pre class="printed" tabindex="0" aria-label=${l("output.title")}>${r.join(`
`)}</pre>`;return o`
      ${r.length>0?n:i}
      ${e&&a(t)?o`<p>${l("output.result")} <code>${c(e)}</code></p>`:i}`}};customElements.define("gl-output",s);
