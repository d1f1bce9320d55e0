import"./chunk-XL4YWPU3.js";import"./chunk-BHPPN3ZU.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{Ib as f,L as m,cb as o,eb as i,pa as u,sa as l,ta as a}from"./chunk-T5R4UKT3.js";function c({kind:p,value:t,items:r,tensor:e}){if(r){let n=r.map(c).join(", ");return p==="tuple"?`(${n})`:`[${n}]`}return t==null?e??p:m(t)}var s=class extends f{render(){let{program:t}=u.value;if(!t)return i;let{printed:r,result:e}=t,n=o`<pre class="printed" tabindex="0" aria-label=${l("output.title")}>${r.join(`
`)}</pre>`;return o`
      ${r.length>0?n:i}
      ${e&&a(t)?o`<p>${l("output.result")} <code>${c(e)}</code></p>`:i}`}};customElements.define("gl-output",s);
