import"./chunk-JWTBNKT5.js";import"./chunk-DXWZL6V6.js";import"./chunk-GHQIS77T.js";import"./chunk-367K6ICS.js";import"./chunk-OAC2TRZ5.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{Ka as u,Na as l,Oa as a,Z as m,ec as o,gc as i,mc as f}from"./chunk-IJZHCSMF.js";function c({kind:p,value:t,items:r,tensor:e}){if(r){let n=r.map(c).join(", ");return p==="tuple"?`(${n})`:`[${n}]`}return t==null?e??p:m(t)}var s=class extends f{render(){let{program:t}=u.value;if(!t)return i;let{printed:r,result:e}=t,n=o`<pre class="printed" tabindex="0" aria-label=${l("output.title")}>${r.join(`
`)}</pre>`;return o`
      ${r.length>0?n:i}
      ${e&&a(t)?o`<p>${l("output.result")} <code>${c(e)}</code></p>`:i}`}};customElements.define("gl-output",s);
