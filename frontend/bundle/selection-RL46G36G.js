import{b as C}from"./chunk-KG5CR3DL.js";import{a as J}from"./chunk-RG37SREC.js";import{b as F}from"./chunk-745YRG2L.js";import{j as O,k as R,l as _,m as D}from"./chunk-7OAPBVK3.js";import"./chunk-NYJF7J4X.js";import"./chunk-3RXM5NM7.js";import"./chunk-NMXAFSNM.js";import{a as M}from"./chunk-C26VYWZH.js";import"./chunk-OPTXQNEX.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{$c as T,Ab as x,Eb as z,Fc as H,Gb as g,Hb as N,Ib as L,Jb as k,Nb as w,Ob as B,T as v,Va as l,Wa as d,Ya as n,Z as K,aa as b,dc as I,ea as U,fa as y,hd as Y,va as h,wa as f,xa as W,xc as r,zb as m,zc as a}from"./chunk-FZ6VZXKF.js";function E(t){let{steps:e,cursor:o,optimising:s,language:i}=l.value,p=t.flatMap(u=>e[u]??[]);return p.length===0||s?a:r`<dt>${n("node.why")}</dt><dd>${p.map(({index:u,sentence:{en:q,zh:et}})=>{let nt=u<=o?v(i,q,et):n("node.why_later");return r`<button class="link" @click=${()=>Y(u)}>${n("node.why_step",{index:u+1,says:nt})}</button>`})}</dd>`}var G=t=>E(l.value.steps.filter(({node:e})=>e===t).map(({index:e})=>e));function S(t){let{language:e}=l.value,o=m.value?.gradients.find(({x:s,tensor:i,reason:p})=>f(s)===t&&i===null&&p);return o?.reason?r`<dt>${n("node.no_gradient")}</dt>
    <dd>${v(e,o.reason,o.reason_zh)} ${n("node.not_zero")}</dd>`:a}var $=(t,e)=>r`<dt>${n(t)}</dt><dd>${e}</dd>`;function ot({id:t}){if(N.value.status.get(t)==="waiting")return h;let e=N.value.exact.get(t)??null;return e===null?b:y(e)}function rt({id:t}){let e=N.value.strips.get(t);return e?r`<dt>${n("node.extent")}</dt><dd class=${e.sound?"":"unsound"}>${T(e,n)}</dd>`:a}function V(t){let e=[...new Set(t)].flatMap(o=>x.value?.parts.get(o)??[]).filter(({label:o})=>o!=="");return e.length>0?e.map(D):n("node.none")}var at=t=>[...x.value?.parts.values()??[]].filter(({inputs:e})=>e.includes(t)).map(e=>e.id);function st(){let t=w.value?.outputs[0]?.shape;return t&&t.length>0?$("node.shape",`(${t.map(e=>e??"?").join(", ")})`):a}function lt(){let t=w.value?.span;if(!t||l.value.stale)return a;let e=n("node.show_line",{line:t.line});return r`<dt>${n("node.line")}</dt><dd><button class="link" title=${e} aria-label=${e}
    @click=${()=>d({place:{...t},tab:"input"})}>${t.line}</button></dd>`}function it({kind:t,tensor:e}){let o=t==="quantity"&&e?m.value?.graph.nodes.find(({name:s})=>s===f(e)):null;return o?r` ${F(o.op)}`:a}function Q(t){let e=O(J(t));return r`<dl class="facts">
      ${$("part.kind",r`${n(`part.${t.kind}`)}${it(t)}`)}
      ${e===a?a:$("node.variable",e)}
      ${$("node.value",ot(t))}
      ${rt(t)}
      ${E(t.saidAt)}
      ${t.kind==="quantity"&&t.tensor?S(f(t.tensor)):a}
      ${st()}
      ${$("node.inputs",V(t.inputs))}
      ${$("node.readers",V(at(t.id)))}
      ${t.quantity?$("part.of",V([t.quantity])):a}
      ${lt()}
    </dl>
    ${R(t.nodes)}`}var ut=["upstream","downstream"];function X(){let{trace:t}=l.value;return r`<div class="traces" role="group" aria-label=${n("graph.trace")}>
    <span class="muted">${n("graph.trace")}</span>
    ${ut.map(e=>r`<button aria-pressed=${t===e}
        @click=${()=>d({trace:t===e?null:e})}>${n(`graph.${e}`)}</button>`)}</div>`}function Z(t){let{pathFrom:e}=l.value;if(e===null||e===t){let o=e===t;return r`<div class="traces"><button aria-pressed=${o}
        @click=${()=>d({pathFrom:o?null:t,trace:null})}>${n("graph.paths_from")}</button>
      ${o?r`<span class="note" role="status">${n("graph.paths_choose")}</span>`:a}</div>`}return r`<div class="traces"><p class="note" role="status">${ct()}</p>
    <button @click=${()=>d({pathFrom:null})}>${n("graph.paths_end")}</button></div>`}function ct(){if(!k.value)return a;let{count:t,shortest:e}=k.value,[o,s]=[k.value.from,k.value.to].map(i=>x.value?.parts.get(i)?.label??i);return t===0?n("graph.paths_none",{from:o,to:s}):t===null?n("graph.paths_loop",{from:o,to:s}):n("graph.paths",{count:t,from:o,to:s,shortest:e})}var j=6;function dt(t){let e=t.outputs[0];if(!e?.shape)return b;let o=e.shape.length===0?n("node.scalar"):`(${e.shape.map(s=>s??"?").join(", ")})`;return n("node.shape_and_type",{shape:o,dtype:e.dtype})}function pt({name:t}){if(g.value.status.get(t)==="waiting")return h;let e=g.value.exact.get(t)??null;return e===null?l.value.optimising?b:n("node.no_value"):y(e)}function A(t){if(t.length===0)return n("node.none");let e=t.length-j;return e<2?t.map(_):r`${t.slice(0,j).map(_)}
    <details><summary>${n("node.more",{count:e})}</summary>${t.slice(j).map(_)}</details>`}function mt({op:t}){let e=l.value.ops[t];if(!e?.latex||e.inputs.length===0)return a;let o=e.adjoints.map((p,u)=>`\\bar{${e.inputs[u]??"x"}} = ${p}`),s=[e.latex,...o].join(",\\quad "),i=v(l.value.language,e.doc,e.doc_zh);return r`<dt>${n("node.formula")}</dt><dd class="wide" title=${i}>
    <gl-formula .latex=${s}></gl-formula></dd>`}function ft({span:t}){if(!t||l.value.stale)return a;let e=n("node.show_line",{line:t.line});return r`<dt>${n("node.line")}</dt><dd><button class="link" title=${e} aria-label=${e}
    @click=${()=>d({place:{...t},tab:"input"})}>${t.line}</button></dd>`}function $t({attrs:t}){let e=Object.entries(t??{});return e.length===0?a:r`<dt>${n("node.attributes")}</dt><dd><details><summary>${e.length}</summary>
    <ul>${e.map(([o,s])=>r`<li><code>${o} = ${ht(s)}</code></li>`)}</ul></details></dd>`}function ht(t){let e=typeof t=="string"?t:JSON.stringify(t);return e.length>200?`${e.slice(0,200)}…`:e}var c=(t,e)=>r`<dt>${n(t)}</dt><dd>${e}</dd>`;function tt(t){let{steps:e,cursor:o,optimising:s}=l.value,i=e.find(({node:u,upstream:q})=>q&&(u===t||u.startsWith(`${t}/`)));if(!i?.upstream)return a;if(s)return c("node.upstream",g.value.values.get(f(i.upstream.tensor))||h);let p=u=>i.index<=o?U(u):h;return r`${c("node.upstream",p(i.upstream.value))}
    ${i.local?.map(({value:u})=>c("node.local",p(u)))}`}function gt({name:t}){let e=g.value.strips.get(t);return e?r`<dt>${n("node.extent")}</dt><dd class=${e.sound?"":"unsound"}>${T(e,n)}</dd>`:a}function vt(t){let e=O(m.value?W(m.value).get(t):void 0);return e===a?a:c("node.variable",e)}function bt(t){let e=C(m.value?.graph.nodes??[]).get(t.name)??[];return r`
    ${c("node.op",F(t.op))}
    ${vt(t.name)}
    ${mt(t)}
    ${c("node.value",pt(t))}
    ${gt(t)}
    ${G(t.name)}
    ${S(t.name)}
    ${tt(t.name)}
    ${c("node.shape",dt(t))}
    ${c("node.inputs",A(t.inputs))}
    ${t.control_inputs.length>0?c("node.control",A(t.control_inputs)):a}
    ${c("node.readers",A(e))}
    ${t.of?c("node.rule",_(t.of)):a}
    ${ft(t)}
    ${$t(t)}
    ${t.device?c("node.device",r`<code>${t.device}</code>`):a}`}var xt=/\//;function kt(t){let e=K(z.value).scopes.get(t)?.members.length??0,o=g.value.values.get(t);return r`${c("node.op",n("node.scope",{count:e}))}
    ${o?c("node.value",o):a}
    ${xt.test(t)?tt(t):a}`}var wt=({op:t})=>r`<button @click=${()=>d(I({...l.value},t))}>${n("graph.hide_kind",{op:t})}</button>`,_t=()=>d({selected:null,trace:null,pathFrom:null,lit:null});function yt(t){let[e,o]=[w.value,B.value];return r`<section class="selection" aria-label=${n("node.title")}>
    <div class="row"><h3><code>${o?.label||t}</code></h3>
      <button class="quiet square" aria-label=${n("node.close")} title=${n("node.close")}
        @click=${_t}>${M.close}</button></div>
    ${X()}
    ${Z(t)}
    ${o?Q(o):r`<dl class="facts">${e?bt(e):kt(t)}</dl>`}
    ${e&&!o?r`<div class="traces">${wt(e)}</div>`:a}
    <p class="note">${n("graph.move")}</p>
  </section>`}var P=class extends H{#t=null;render(){return L.value?yt(L.value):a}updated(){let{selected:e,lit:o}=l.value;e!==this.#t&&o?.at!==e&&this.firstElementChild?.scrollIntoView({block:"nearest"}),this.#t=e}};customElements.define("gl-selection",P);
