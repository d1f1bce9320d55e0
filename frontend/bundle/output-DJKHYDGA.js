import"./chunk-MSJCWL6H.js";import"./chunk-LKZVWOL6.js";import"./chunk-TP2HLYQ7.js";import"./chunk-X7A2BXUZ.js";import"./chunk-W7XBDESC.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{Ka as u,Na as l,Oa as a,Z as m,ec as o,gc as i,mc as f}from"./chunk-Y6XRRQTK.js";function c({kind:p,value:t,items:r,tensor:e}){if(r){let n=r.map(c).join(", ");return p==="tuple"?`(${n})`:`[${n}]`}return t==null?e??p:m(t)}var s=class extends f{render(){let{program:t}=u.value;if(!t)return i;let{printed:r,result:e}=t,n=o`<pre class="printed" tabindex="0" aria-label=${l("output.title")}>${r.join(`
`)}</pre>`;return o`
      ${r.length>0?n:i}
      ${e&&a(t)?o`<p>${l("output.result")} <code>${c(e)}</code></p>`:i}`}};customElements.define("gl-output",s);
