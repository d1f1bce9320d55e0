import{a as J}from"./chunk-CY5X42KZ.js";import{a as B,g as T,h as C,i as _,j as D}from"./chunk-XL4YWPU3.js";import"./chunk-BHPPN3ZU.js";import"./chunk-GANBR27M.js";import{b as M}from"./chunk-2SFIE4UB.js";import"./chunk-BYXBJQAS.js";import{$ as f,F as K,H as b,Ib as H,L as P,M as N,Ma as h,Na as x,Pb as R,Ra as W,Ta as g,Ua as y,Va as L,Wa as k,Ya as w,Za as z,aa as $,ba as U,cb as r,eb as a,pa as s,pb as I,qa as d,sa as n,z as v,zb as O}from"./chunk-T5R4UKT3.js";function q(t){let{steps:e,cursor:o,optimising:l,language:i}=s.value,p=t.flatMap(u=>e[u]??[]);return p.length===0||l?a:r`<dt>${n("node.why")}</dt><dd>${p.map(({index:u,sentence:{en:S,zh:tt}})=>{let et=u<=o?v(i,S,tt):n("node.why_later");return r`<button class="link" @click=${()=>R(u)}>${n("node.why_step",{index:u+1,says:et})}</button>`})}</dd>`}var Y=t=>q(s.value.steps.filter(({node:e})=>e===t).map(({index:e})=>e));function F(t){let{language:e}=s.value,o=h.value?.gradients.find(({x:l,tensor:i,reason:p})=>$(l)===t&&i===null&&p);return o?.reason?r`<dt>${n("node.no_gradient")}</dt>
    <dd>${v(e,o.reason,o.reason_zh)} ${n("node.not_zero")}</dd>`:a}var m=(t,e)=>r`<dt>${n(t)}</dt><dd>${e}</dd>`;function nt({id:t}){if(y.value.status.get(t)==="waiting")return f;let e=y.value.exact.get(t)??null;return e===null?b:N(e)}function ot({id:t}){let e=y.value.strips.get(t);return e?r`<dt>${n("node.extent")}</dt><dd class=${e.sound?"":"unsound"}>${O(e,n)}</dd>`:a}function E(t){let e=[...new Set(t)].flatMap(o=>x.value?.parts.get(o)??[]).filter(({label:o})=>o!=="");return e.length>0?e.map(D):n("node.none")}var rt=t=>[...x.value?.parts.values()??[]].filter(({inputs:e})=>e.includes(t)).map(e=>e.id);function at(){let t=w.value?.outputs[0]?.shape;return t&&t.length>0?m("node.shape",`(${t.map(e=>e??"?").join(", ")})`):a}function st(){let t=w.value?.span;if(!t||s.value.stale)return a;let e=n("node.show_line",{line:t.line});return r`<dt>${n("node.line")}</dt><dd><button class="link" title=${e} aria-label=${e}
    @click=${()=>d({place:{...t},tab:"input"})}>${t.line}</button></dd>`}function G(t){let e=T(J(t));return r`<dl class="facts">
      ${m("part.kind",n(`part.${t.kind}`))}
      ${e===a?a:m("node.variable",e)}
      ${m("node.value",nt(t))}
      ${ot(t)}
      ${q(t.saidAt)}
      ${t.kind==="quantity"&&t.tensor?F($(t.tensor)):a}
      ${at()}
      ${m("node.inputs",E(t.inputs))}
      ${m("node.readers",E(rt(t.id)))}
      ${t.quantity?m("part.of",E([t.quantity])):a}
      ${st()}
    </dl>
    ${C(t.nodes)}`}var lt=["upstream","downstream"];function Q(){let{trace:t}=s.value;return r`<div class="traces" role="group" aria-label=${n("graph.trace")}>
    <span class="muted">${n("graph.trace")}</span>
    ${lt.map(e=>r`<button aria-pressed=${t===e}
        @click=${()=>d({trace:t===e?null:e})}>${n(`graph.${e}`)}</button>`)}</div>`}function X(t){let{pathFrom:e}=s.value;if(e===null||e===t){let o=e===t;return r`<div class="traces"><button aria-pressed=${o}
        @click=${()=>d({pathFrom:o?null:t,trace:null})}>${n("graph.paths_from")}</button>
      ${o?r`<span class="note" role="status">${n("graph.paths_choose")}</span>`:a}</div>`}return r`<div class="traces"><p class="note" role="status">${it()}</p>
    <button @click=${()=>d({pathFrom:null})}>${n("graph.paths_end")}</button></div>`}function it(){if(!k.value)return a;let{count:t,shortest:e}=k.value,[o,l]=[k.value.from,k.value.to].map(i=>x.value?.parts.get(i)?.label??i);return t===0?n("graph.paths_none",{from:o,to:l}):t===null?n("graph.paths_loop",{from:o,to:l}):n("graph.paths",{count:t,from:o,to:l,shortest:e})}var V=6;function ut(t){let e=t.outputs[0];if(!e?.shape)return b;let o=e.shape.length===0?n("node.scalar"):`(${e.shape.map(l=>l??"?").join(", ")})`;return n("node.shape_and_type",{shape:o,dtype:e.dtype})}function ct({name:t}){if(g.value.status.get(t)==="waiting")return f;let e=g.value.exact.get(t)??null;return e===null?s.value.optimising?b:n("node.no_value"):N(e)}function j(t){if(t.length===0)return n("node.none");let e=t.length-V;return e<2?t.map(_):r`${t.slice(0,V).map(_)}
    <details><summary>${n("node.more",{count:e})}</summary>${t.slice(V).map(_)}</details>`}function dt({op:t}){let e=s.value.ops[t];if(!e?.latex||e.inputs.length===0)return a;let o=e.adjoints.map((p,u)=>`\\bar{${e.inputs[u]??"x"}} = ${p}`),l=[e.latex,...o].join(",\\quad "),i=v(s.value.language,e.doc,e.doc_zh);return r`<dt>${n("node.formula")}</dt><dd class="wide" title=${i}>
    <gl-formula .latex=${l}></gl-formula></dd>`}function pt({span:t}){if(!t||s.value.stale)return a;let e=n("node.show_line",{line:t.line});return r`<dt>${n("node.line")}</dt><dd><button class="link" title=${e} aria-label=${e}
    @click=${()=>d({place:{...t},tab:"input"})}>${t.line}</button></dd>`}function mt({attrs:t}){let e=Object.entries(t??{});return e.length===0?a:r`<dt>${n("node.attributes")}</dt><dd><details><summary>${e.length}</summary>
    <ul>${e.map(([o,l])=>r`<li><code>${o} = ${ft(l)}</code></li>`)}</ul></details></dd>`}function ft(t){let e=typeof t=="string"?t:JSON.stringify(t);return e.length>200?`${e.slice(0,200)}…`:e}var c=(t,e)=>r`<dt>${n(t)}</dt><dd>${e}</dd>`;function Z(t){let{steps:e,cursor:o,optimising:l}=s.value,i=e.find(({node:u,upstream:S})=>S&&(u===t||u.startsWith(`${t}/`)));if(!i?.upstream)return a;if(l)return c("node.upstream",g.value.values.get($(i.upstream.tensor))||f);let p=u=>i.index<=o?P(u):f;return r`${c("node.upstream",p(i.upstream.value))}
    ${i.local?.map(({value:u})=>c("node.local",p(u)))}`}function $t({name:t}){let e=g.value.strips.get(t);return e?r`<dt>${n("node.extent")}</dt><dd class=${e.sound?"":"unsound"}>${O(e,n)}</dd>`:a}function ht(t){let e=T(h.value?U(h.value).get(t):void 0);return e===a?a:c("node.variable",e)}function gt(t){let e=M(h.value?.graph.nodes??[]).get(t.name)??[];return r`
    ${c("node.op",r`<code>${t.op}</code>`)}
    ${ht(t.name)}
    ${dt(t)}
    ${c("node.value",ct(t))}
    ${$t(t)}
    ${Y(t.name)}
    ${F(t.name)}
    ${Z(t.name)}
    ${c("node.shape",ut(t))}
    ${c("node.inputs",j(t.inputs))}
    ${t.control_inputs.length>0?c("node.control",j(t.control_inputs)):a}
    ${c("node.readers",j(e))}
    ${t.of?c("node.rule",_(t.of)):a}
    ${pt(t)}
    ${mt(t)}
    ${t.device?c("node.device",r`<code>${t.device}</code>`):a}`}var vt=/\//;function bt(t){let e=K(W.value).scopes.get(t)?.members.length??0,o=g.value.values.get(t);return r`${c("node.op",n("node.scope",{count:e}))}
    ${o?c("node.value",o):a}
    ${vt.test(t)?Z(t):a}`}var xt=({op:t})=>r`<button @click=${()=>d(I({...s.value},t))}>${n("graph.hide_kind",{op:t})}</button>`,kt=()=>d({selected:null,trace:null,pathFrom:null,lit:null});function wt(t){let[e,o]=[w.value,z.value];return r`<section class="selection" aria-label=${n("node.title")}>
    <div class="row"><h3><code>${o?.label||t}</code></h3>
      <button class="quiet square" aria-label=${n("node.close")} title=${n("node.close")}
        @click=${kt}>${B.close}</button></div>
    ${Q()}
    ${X(t)}
    ${o?G(o):r`<dl class="facts">${e?gt(e):bt(t)}</dl>`}
    ${e&&!o?r`<div class="traces">${xt(e)}</div>`:a}
    <p class="note">${n("graph.move")}</p>
  </section>`}var A=class extends H{#t=null;render(){return L.value?wt(L.value):a}updated(){let{selected:e,lit:o}=s.value;e!==this.#t&&o?.at!==e&&this.firstElementChild?.scrollIntoView({block:"nearest"}),this.#t=e}};customElements.define("gl-selection",A);
