import{a as w,b as S}from"./chunk-745YRG2L.js";import{l as x}from"./chunk-7OAPBVK3.js";import"./chunk-NYJF7J4X.js";import"./chunk-3RXM5NM7.js";import"./chunk-NMXAFSNM.js";import"./chunk-C26VYWZH.js";import"./chunk-OPTXQNEX.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{Cc as O,Fc as L,T as f,Va as d,Wa as v,Ya as a,xc as i,zb as g,zc as p}from"./chunk-FZ6VZXKF.js";function C({name:o,names:e,doc:n,doc_zh:t},s){let c=o.toLowerCase(),u=Object.values(e).map(r=>r.toLowerCase()),l=u.map(r=>r.replace(/^.*\./,""));return c===s||u.includes(s)?0:l.includes(s)?1:c.startsWith(s)?2:l.some(r=>r.startsWith(s))?3:[c,...u].some(r=>r.includes(s))?4:[n,t].some(r=>r.toLowerCase().includes(s))?5:1/0}function $(o,e){let n=e.trim().toLowerCase();return n===""?[...o]:o.map(t=>({op:t,rank:C(t,n)})).filter(({rank:t})=>t<1/0).sort((t,s)=>t.rank-s.rank||t.op.name.length-s.op.name.length||(t.op.name<s.op.name?-1:1)).map(({op:t})=>t)}var I=/^\s*(Shapes[^:]*|Range|Domain|Source):\s*(.*)$/;function _({doc:o,doc_zh:e}){let n=o.replace(/\s(Shapes[^.:]*:)/,`
$1`).split(`
`),t={},s=[];for(let u of n){let[,l,r]=I.exec(u)??[];l?.startsWith("Shapes")?[t.shapes,t.rest]=A(l.slice(6),r):l==="Source"?t.source=r:u.trim()&&s.push(u.trim())}let c=t.rest?[t.rest]:[];return{says:[...s,...c].join(" "),saysZh:e,shapes:t.shapes??"",source:t.source??""}}function A(o,e){let n=e.search(/\.\s+[A-Z]/),t=n<0?e:e.slice(0,n+1);return[`${o.trim()} ${t.replace(/\.$/,"")}`.trim(),n<0?"":e.slice(n+1).trim()]}var D={tf:"TensorFlow",torch:"PyTorch",jax:"JAX",numpy:"numpy",math:null},y=12;function k(o){let e=d.value.op.name,n=g.value?.graph.nodes.find(({op:t,phase:s})=>s==="forward"&&!E.has(t))?.op;return o.find(({name:t})=>t===e)??o.find(({name:t})=>t===n)??o[0]}var E=new Set(["Const","VariableV2","Assign","Identity","Placeholder"]),m=(o,e)=>i`<dt>${o}</dt><dd>${e}</dd>`;function z({inputs:o,adjoints:e,derivative:n,derivative_zh:t,no_gradient:s,no_gradient_zh:c}){let{language:u}=d.value;if(s)return i`<p class="note">${a("ops.no_gradient")} ${f(u,s,c)}</p>`;if(e.length===0)return p;let l=u==="zh-CN"?t:n;return i`<table><thead><tr><th scope="col">${a("ops.input")}</th>
      <th scope="col">${a("node.local")}</th><th scope="col">${a("ops.passed_on")}</th></tr></thead>
    <tbody>${o.map((r,h)=>i`<tr><th scope="row"><code>${r}</code></th>
        <td>${l[h]?i`<gl-formula .latex=${l[h]}></gl-formula>`:p}</td>
        <td>${e[h]?i`<gl-formula .latex=${e[h]}></gl-formula>`:p}</td></tr>`)}</tbody></table>`}function M({names:o}){let e=Object.entries(D).filter(([n])=>o[n]);return e.length===0?p:m(a("ops.names"),i`<ul class="spellings">${e.map(([n,t])=>i`<li>${t??a("dialect.math")} <code>${o[n]}</code></li>`)}</ul>`)}function P({name:o}){let e=g.value?.graph.nodes.filter(({op:t})=>t===o)??[];if(e.length===0)return p;let n=e.length>y?i` <span>${a("node.more",{count:e.length-y})}</span>`:p;return m(a("ops.nodes"),i`${e.slice(0,y).map(t=>x(t.name))}${n}`)}function q(o){let{language:e}=d.value,{says:n,saysZh:t,shapes:s,source:c}=_(o),u=Object.entries(o.attributes);return i`<article aria-label=${o.name}>
    <h3><code>${o.name}</code></h3>
    <p>${f(e,n,t||null)}</p>
    ${o.latex?i`<gl-formula .latex=${o.latex}></gl-formula>`:p}
    ${z(o)}
    <dl class="facts">
      ${o.inputs.length>0?m(a("node.inputs"),o.inputs.map(l=>i`<code>${l}</code>`)):p}
      ${s?m(a("ops.shapes"),i`<code>${s}</code>`):p}
      ${u.length>0?m(a("node.attributes"),u.map(([l,r])=>i`<code>${l} = ${JSON.stringify(r)}</code>`)):p}
      ${o.kink?m(a("ops.kink"),f(e,o.kink.en,o.kink.zh)):p}
      ${M(o)}
      ${c?m(a("ops.source"),c):p}
      ${P(o)}
      ${o.related.length>0?m(a("ops.related"),o.related.map(S)):p}
    </dl></article>`}var b=class extends L{render(){let{allOps:e,op:n}=d.value;if(!e)return i`<p class="note">${a("landscape.coming")}</p>`;let t=$(e,n.query),s=k(e);return i`<div class="ops-tool">
      <div class="ops-list">
        <input type="search" aria-label=${a("ops.search")} placeholder=${a("ops.search_hint")} .value=${O(n.query)}
          @input=${this.typed} @keydown=${this.pressed}>
        <ul role="listbox" aria-label=${a("ops.list")} tabindex="0" aria-activedescendant=${`op-${s.name}`} @keydown=${this.pressed}>
          ${t.map(c=>this.option(c,c===s))}</ul>
        <output class="note">${a("ops.count",{count:t.length})}</output>
      </div>
      ${q(s)}</div>`}option({name:e},n){return i`<li role="option" id="op-${e}" aria-selected=${n} @click=${()=>w(e)}><code>${e}</code></li>`}typed(e){let n=e.target.value,[t]=n.trim()?$(d.value.allOps??[],n):[];v({op:{query:n,name:t?.name??d.value.op.name}})}pressed(e){let{allOps:n,op:t}=d.value,s=$(n??[],t.query);if(e.ctrlKey||e.metaKey||e.altKey||s.length===0)return;let c=s.indexOf(k(n??[])),u=e.target instanceof HTMLInputElement,l=this.led(e.key,s,c,u);l!==null&&(e.preventDefault(),e.stopPropagation(),w(s[l].name),this.updateComplete.then(()=>this.querySelector('[role="option"][aria-selected="true"]')?.scrollIntoView({block:"nearest"})))}led(e,n,t,s){if(e==="ArrowDown")return Math.min(n.length-1,t+1);if(e==="ArrowUp")return Math.max(0,t-1);if(s)return null;if(e==="Home")return 0;if(e==="End")return n.length-1;if(e.length!==1||e===" ")return null;let c=({name:r})=>r.toLowerCase().startsWith(e.toLowerCase()),u=n.findIndex((r,h)=>h>t&&c(r)),l=u<0?n.findIndex(c):u;return l<0?null:l}};customElements.define("gl-ops",b);
