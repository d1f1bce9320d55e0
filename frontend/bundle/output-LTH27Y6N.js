import"./chunk-X4SBZVB2.js";import"./chunk-6T76JXK4.js";import"./chunk-YNFSEXY7.js";import"./chunk-MKUHYT2K.js";import"./chunk-3YKYRG57.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{Ca as u,Fa as l,Ga as a,Pb as o,R as m,Rb as i,Xb as f}from"./chunk-2BHWEDA2.js";function c({kind:p,value:t,items:r,tensor:e}){if(r){let n=r.map(c).join(", ");return p==="tuple"?`(${n})`:`[${n}]`}return t==null?e??p:m(t)}var s=class extends f{render(){let{program:t}=u.value;if(!t)return i;let{printed:r,result:e}=t,n=o`<pre class="printed" tabindex="0" aria-label=${l("output.title")}>${r.join(`
`)}</pre>`;return o`
      ${r.length>0?n:i}
      ${e&&a(t)?o`<p>${l("output.result")} <code>${c(e)}</code></p>`:i}`}};customElements.define("gl-output",s);
