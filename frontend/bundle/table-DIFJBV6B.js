import{a as K}from"./chunk-CY5X42KZ.js";import{g as w,i as x,j as O}from"./chunk-XL4YWPU3.js";import"./chunk-BHPPN3ZU.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{$ as v,Ib as T,L as q,M as $,Ma as V,N as h,Na as R,Oa as W,Ta as g,Ua as y,Va as b,_a as H,aa as f,ba as _,cb as i,eb as p,ia as k,pa as M,sa as o}from"./chunk-T5R4UKT3.js";var E=24,F=new Set(["quantity","process","update"]);function L(t){if(!t)return i`<td class="number"></td>`;let{values:e,exact:a,status:n}=y.value,r=n.get(t.id)==="waiting"?null:a.get(t.id)??null,c=r===null?e.get(t.id):h(r,E);return i`<td class="number" title=${r===null?p:$(r)}>${c||v}</td>`}function I(t,e){let a=[...e.values()].find(({kind:s,quantity:l})=>s==="gradient"&&l===t.id),n=[t,a].map(s=>s&&y.value.status.get(s.id)),r=[t.id,a?.id].includes(b.value??""),c=[...new Set(t.inputs)].flatMap(s=>e.get(s)??[]).filter(({label:s})=>s);return i`<tr class="${t.kind==="quantity"?"forward":t.kind} ${n[0]}" aria-selected=${r}
      aria-current=${n.includes("current")}>
    <th scope="row">${O(t)}${w(K(t))}</th>
    <td class="made-of">${c.map(O)}</td>
    ${L(t)}
    ${L(a)}
  </tr>`}function P(){let t=R.value?.parts??new Map,e=[...t.values()],a=/^∂(.+)\/∂/.exec(e.find(({kind:n})=>n==="gradient")?.label??"")?.[1];return i`<table class="nodes quantities">
    <caption class="visually-hidden">${o("table.quantities")}</caption>
    <thead><tr><th scope="col">${o("table.quantity")}</th><th scope="col" class="made-of">${o("table.made_of")}</th>
      <th scope="col">${o("table.value")}</th>
      <th scope="col">${a?o("table.gradient",{y:a}):o("table.gradient_plain")}</th></tr></thead>
    <tbody>${e.filter(({kind:n})=>F.has(n)).map(n=>I(n,t))}</tbody>
  </table>`}var S=1e3,j=24;function A(t){let{steps:e,cursor:a,optimising:n}=M.value,{status:r,exact:c}=g.value,s=(m,d,u)=>(n?z(f(m)):u&&q(d))||v,l=new Map;for(let{of:m,upstream:d,index:u}of e)m&&d&&l.set(m,s(d.tensor,d.value,u<=a));for(let m of t.gradients){let{x:d,tensor:u}=m,D=u!==null&&r.get(f(u))!=="waiting";l.set(f(d),u===null?o("optimizer.not_connected"):s(u,k(m,c),D))}return l}var U=t=>g.value.status.get(t)==="waiting"?null:g.value.exact.get(t)??null;function z(t){let e=U(t);return e===null?g.value.values.get(t):h(e,j)}function B(t){let e=U(t);return e===null?"":$(e)}function C(t,e,a){let n=a.get(t.name),r=n&&n!==t.name?i` <var>${n}</var>`:p,c=g.value.status.get(t.name)??"",s=t.name===H.value?.node;return i`<tr class="${t.phase} ${c}" aria-selected=${t.name===b.value} aria-current=${s}>
    <th scope="row">${x(t.name)}${r}</th>
    <td>${t.op}${w(n)}</td>
    <td class="made-of">${[...t.inputs,...t.control_inputs.map(l=>`^${l}`)].map(x)}</td>
    <td class="number" title=${B(t.name)}>${z(t.name)}</td>
    <td class="number">${e.get(t.name)??""}</td>
  </tr>`}var N=class extends T{render(){let e=V.value;if(!e)return p;if(W.value==="mathematics")return P();let{nodes:a}=e.graph,n=_(e),r=A(e),c=o("table.cut",{shown:S,count:a.length}),s=e.target&&(n.get(f(e.target))??f(e.target));return i`<table class="nodes">
      <caption class="visually-hidden">${o("table.title")}</caption>
      <thead><tr>${["node","op","inputs","value"].map(l=>i`<th scope="col" class=${l==="inputs"?"made-of":p}>${o(`table.${l}`)}</th>`)}
        <th scope="col">${s?o("table.gradient",{y:s}):o("table.gradient_plain")}</th></tr></thead>
      <tbody>${a.slice(0,S).map(l=>C(l,r,n))}</tbody>
    </table>
    ${a.length>S?i`<p class="note">${c}</p>`:p}`}};customElements.define("gl-table",N);
