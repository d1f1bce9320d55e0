import"./chunk-TYFWNDL6.js";import"./chunk-DQYMEIYQ.js";import"./chunk-JJF45XMY.js";import"./chunk-AFVAZFJE.js";import"./chunk-H3XU2KCG.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{Ja as u,Ma as l,Na as a,Y as m,dc as o,fc as i,lc as f}from"./chunk-REYWK5TW.js";function c({kind:p,value:t,items:r,tensor:e}){if(r){let n=r.map(c).join(", ");return p==="tuple"?`(${n})`:`[${n}]`}return t==null?e??p:m(t)}var s=class extends f{render(){let{program:t}=u.value;if(!t)return i;let{printed:r,result:e}=t,n=o`<pre class="printed" tabindex="0" aria-label=${l("output.title")}>${r.join(`
`)}</pre>`;return o`
      ${r.length>0?n:i}
      ${e&&a(t)?o`<p>${l("output.result")} <code>${c(e)}</code></p>`:i}`}};customElements.define("gl-output",s);
