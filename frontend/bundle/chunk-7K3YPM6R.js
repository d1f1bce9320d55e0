import{a as h,b as u,c as g,d as w,i as C,j as M,k as m,l as z,m as N,n as A,o as Q,q as $,r as E,s as L,t as j,u as S,v as F}from"./chunk-ZBPAPRKV.js";import{a as y,b as _}from"./chunk-F5WP7KH5.js";import{a as R,b as B}from"./chunk-YNFSEXY7.js";import{a as v}from"./chunk-MKUHYT2K.js";import{j as x}from"./chunk-3YKYRG57.js";import{Ca as c,Fa as n,Pb as e,R as p,Rb as r,Xb as k}from"./chunk-2BHWEDA2.js";var G=/^(localhost|127\.|\[::1\])/;function O({code:s}){let t=new URL(`j/${s}`,new URL("./",location.href)).href,a=y(t);return e`<dialog class="class-card" aria-label=${n("class.code")} @click=${H}>
    <p class="class-address">${t.replace(/^https?:\/\//,"")}</p>
    ${G.test(location.hostname)?e`<p class="note">${n("class.only_here")}</p>`:r}
    <p class="class-large">${s}</p>
    ${a?_(a,n("class.qr")):r}
    <button @click=${H}>${n("class.hide_code")}</button></dialog>`}function P(){document.querySelector(".class-card")?.showModal()}function H({target:s,currentTarget:t}){s===t&&s.closest("dialog")?.close()}var d=s=>s.length===0?r:e`<div class="class-rounds">${s.map(t=>I(t))}</div>`;function I({round:s,answered:t,bins:a}){let o=(a??[]).filter(({count:l,correct:i})=>l>0||i);return e`<table class="class-histogram">
    <caption>${n("class.round_of",{round:s,count:t})}</caption>
    <tbody>${o.map(l=>J(o,l))}</tbody></table>`}function J(s,t){let a=c.value.language==="zh-CN"?t.label.zh:t.label.en;return e`<tr class=${t.correct?"right":""}>
    <th scope="row">${t.correct?e`<span aria-hidden="true">✓ </span>`:r}${a}</th>
    <td class="class-track"><span class="class-fill" style="inline-size: ${Math.round(100*w(s,t))}%"></span></td>
    <td class="class-number">${t.count}</td></tr>`}var U=s=>(c.value.language==="zh-CN"?s?.zh:s?.en)??"";function T(s){if(s.ended)return e`<span>${n("class.over")}</span><span class="space"></span>
    <button @click=${F}>${n("class.dismiss")}</button>`;let t=s.lostAt!==null&&s.lostAt===Math.max(0,c.value.cursor);return e`<span class="class-label" title=${n("class.label_about")}>${U(s.label)}</span>
    ${K(s)}
    <span class="space"></span>
    <button aria-pressed=${t} ?disabled=${t} @click=${E}>${n(t?"class.lost_said":"class.lost")}</button>
    <button class="quiet" @click=${S}>${n("class.leave")}</button>`}function K(s){return s.mode==="free"?e`<span class="class-count">${n("class.free_about")}</span>`:h(s)?e`<span class="class-count class-following">${n("class.following")}</span><button class="quiet" @click=${L}>${n("class.explore")}</button>`:e`<button class="primary" @click=${j}>${n("class.back")}</button>`}function V({question:s}){return s?e`<section class="class-question" aria-label=${n("class.question")} aria-live="polite">
    <p class="class-asked"><strong>${n("class.round",{round:s.round})}</strong> ${U(s.prompt)}</p>
    ${s.closed?r:X(s)}
    <p class="class-said">${W(s)}</p>
    ${d((s.rounds??[]).filter(({bins:t})=>t!==null))}</section>`:r}function W(s){let t=s.said===null||s.said===void 0?null:f(s,s.said);if(s.revealed){let a=f(s,s.answer??null);return t===null?n("class.answer",{answer:a}):n("class.you_and_answer",{said:t,answer:a})}return s.closed?t===null?n("class.closed"):n("class.closed_with",{said:t}):t===null?"":n("class.may_change",{said:t})}function f({kind:s,options:t},a){if(s==="sign"||s==="ending")return n(`predict.${s}.${a}`);let o=t.find(l=>l.value===a);return o?o.text:Array.isArray(a)?a.map(l=>p(l)).join(", "):p(a)}function X(s){return s.kind==="number"?q():e`<div class="choices" role="group" aria-label=${n("predict.choices")}>
    ${s.options.map(({value:t})=>Z(s,t))}</div>`}function Z(s,t){let a=()=>$(s.kind==="node"?{node:t}:{option:t}),o=s.kind==="formula"?e`<gl-formula .latex=${t}></gl-formula>`:f(s,t);return e`<button aria-pressed=${s.said===t} @click=${a}>${o}</button>`}function q(){let s=n("class.field");return e`<div class="row">${R({label:s,shown:"",entered:a=>{if(a.trim()==="")return;let o=x(a);if(!o)return{key:"predict.unreadable"};$({value:o.length===1?o[0]:o})},kind:"prediction"})}<button class="primary">${n("class.send")}</button></div>
    ${B(s,"")}`}function Y(s,t){let{code:a,mode:o,results:l}=s;return e`<button class="class-code" @click=${t} title=${n("class.show_code")}>${a}</button>
    <span class="class-count">${n("class.students",{count:l?.students??0})}</span>
    ${ts(s)}
    <div class="segments" role="group" aria-label=${n("class.mode")}>
      ${["follow","free"].map(i=>e`<button aria-pressed=${i===o} @click=${()=>C(i)}>${n(`class.mode_${i}`)}</button>`)}</div>
    ${u(s)==="open"?r:M().map(ss)}
    <span class="space"></span>
    <button class="quiet" @click=${A}>${n("class.save")}</button>
    <button class="quiet" @click=${ns}>${n("class.end")}</button>`}var ss=(s,t)=>e`<button class=${t===0?"primary":"quiet"} @click=${()=>m(s)}>${n(`class.ask_${s}`)}</button>`;function ts({results:s}){let t=String(Math.max(0,c.value.cursor)),a=s?.lost[t]??0,o=s?.steps[t]??0;return e`${o>0?e`<span class="class-count">${n("class.here",{count:o})}</span>`:r}
    ${a>0?e`<strong class="class-lost">${n("class.lost_count",{count:a})}</strong>`:r}`}function ns(){confirm(n("class.end_sure"))&&Q()}function D(s){let{question:t}=s,a=g(s);return!t||u(s)==="revealed"&&c.value.cursor>t.step?r:e`<section class="class-question" aria-label=${n("class.question")}>
    <p class="class-asked"><strong>${n("class.round",{round:t.round})}</strong>
      ${t.prompt?es(t.prompt):n(`class.ask_${t.kind}`)}
      <span class="class-count">${n("class.answered",{answered:a?.answered??0,students:s.results?.students??0})}</span></p>
    ${d(os(s))}
    <div class="row">${as(s)}</div></section>`}var es=({en:s,zh:t})=>c.value.language==="zh-CN"?t:s;function as(s){let{question:t}=s;return u(s)==="open"?e`<button class="primary" @click=${z}>${n("class.close")}</button>`:u(s)==="revealed"||!t?r:e`<button class="primary" @click=${N}>${n("class.reveal")}</button>
    ${t.round===1?e`<button @click=${()=>m(t.kind,2)}>${n("class.second")}</button>`:r}`}function os({question:s,results:t}){let a=(t?.questions??[]).filter(({step:l,kind:i})=>l===s?.step&&i===s?.kind);return[...new Map(a.map(l=>[l.round,l])).values()].filter(({bins:l})=>l!==null)}var b=class extends k{constructor(){super(),v("styles/classroom.css")}render(){let{classroom:t}=c.value;if(!t)return r;let[a,o]=t.role==="teacher"?[Y,D]:[T,V];return e`<section class="class-bar" aria-label=${n("class.title")}>${a(t,P)}</section>
      ${t.ended?r:o(t)}
      ${t.role==="teacher"?O(t):r}
      <p class="class-news" role="status">${t.connection==="away"&&!t.ended?n("class.away"):""}</p>`}};customElements.define("gl-class",b);
