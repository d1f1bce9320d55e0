import{b as d,e as M,f as z,g as L,h as N,i as m,j as A,k as Q,l as R,m as B,o as f,p as S,q as j,r as T,s as F,t as H}from"./chunk-77U46BBO.js";import{a as _,b as x}from"./chunk-P7JF5Q6D.js";import{a as E,b as O}from"./chunk-NYJF7J4X.js";import{g,h as u,i as k,j as w,w as C}from"./chunk-3RXM5NM7.js";import{a as y}from"./chunk-OPTXQNEX.js";import{Fc as v,Va as c,Ya as e,ea as $,xc as a,zc as l}from"./chunk-FZ6VZXKF.js";var K=/^(localhost|127\.|\[::1\])/;function U({code:s}){let t=new URL(`j/${s}`,new URL("./",location.href)).href,n=_(t);return a`<dialog class="class-card" aria-label=${e("class.code")} @click=${P}>
    <p class="class-address">${t.replace(/^https?:\/\//,"")}</p>
    ${K.test(location.hostname)?a`<p class="note">${e("class.only_here")}</p>`:l}
    <p class="class-large">${s}</p>
    ${n?x(n,e("class.qr")):l}
    <button @click=${P}>${e("class.hide_code")}</button></dialog>`}function V(){document.querySelector(".class-card")?.showModal()}function P({target:s,currentTarget:t}){s===t&&s.closest("dialog")?.close()}var p=s=>s.length===0?l:a`<div class="class-rounds">${s.map(t=>W(t))}</div>`;function W({round:s,answered:t,bins:n}){let o=(n??[]).filter(({count:r,correct:i})=>r>0||i);return a`<table class="class-histogram">
    <caption>${e("class.round_of",{round:s,count:t})}</caption>
    <tbody>${o.map(r=>X(o,r))}</tbody></table>`}function X(s,t){let n=c.value.language==="zh-CN"?t.label.zh:t.label.en;return a`<tr class=${t.correct?"right":""}>
    <th scope="row">${t.correct?a`<span aria-hidden="true">✓ </span>`:l}${n}</th>
    <td class="class-track"><span class="class-fill" style="inline-size: ${Math.round(100*w(s,t))}%"></span></td>
    <td class="class-number">${t.count}</td></tr>`}var Y=s=>(c.value.language==="zh-CN"?s?.zh:s?.en)??"";function D(s){if(s.ended)return a`<span>${e("class.over")}</span><span class="space"></span>
    <button @click=${H}>${e("class.dismiss")}</button>`;let t=s.lostAt!==null&&s.lostAt===Math.max(0,c.value.cursor);return a`<span class="class-label" title=${e("class.label_about")}>${Y(s.label)}</span>
    ${Z(s)}
    <span class="space"></span>
    <button aria-pressed=${t} ?disabled=${t} @click=${S}>${e(t?"class.lost_said":"class.lost")}</button>
    <button class="quiet" @click=${F}>${e("class.leave")}</button>`}function Z(s){return s.mode==="free"?a`<span class="class-count">${e("class.free_about")}</span>`:g(s)?a`<span class="class-count class-following">${e("class.following")}</span><button class="quiet" @click=${j}>${e("class.explore")}</button>`:a`<button class="primary" @click=${T}>${e("class.back")}</button>`}function G({question:s}){return s?a`<section class="class-question" aria-label=${e("class.question")} aria-live="polite">
    <p class="class-asked"><strong>${e("class.round",{round:s.round})}</strong> ${Y(s.prompt)}</p>
    ${s.closed?l:ss(s)}
    <p class="class-said">${q(s)}</p>
    ${p((s.rounds??[]).filter(({bins:t})=>t!==null))}</section>`:l}function q(s){let t=s.said===null||s.said===void 0?null:b(s,s.said);if(s.revealed){let n=b(s,s.answer??null);return t===null?e("class.answer",{answer:n}):e("class.you_and_answer",{said:t,answer:n})}return s.closed?t===null?e("class.closed"):e("class.closed_with",{said:t}):t===null?"":e("class.may_change",{said:t})}function b({kind:s,options:t},n){if(s==="sign"||s==="ending")return e(`predict.${s}.${n}`);let o=t.find(r=>r.value===n);return o?o.text:Array.isArray(n)?n.map(r=>$(r)).join(", "):$(n)}function ss(s){return s.kind==="number"?es():a`<div class="choices" role="group" aria-label=${e("predict.choices")}>
    ${s.options.map(({value:t})=>ts(s,t))}</div>`}function ts(s,t){let n=()=>f(s.kind==="node"?{node:t}:{option:t}),o=s.kind==="formula"?a`<gl-formula .latex=${t}></gl-formula>`:b(s,t);return a`<button aria-pressed=${s.said===t} @click=${n}>${o}</button>`}function es(){let s=e("class.field");return a`<div class="row">${E({label:s,shown:"",entered:n=>{if(n.trim()==="")return;let o=C(n);if(!o)return{key:"predict.unreadable"};f({value:o.length===1?o[0]:o})},kind:"prediction"})}<button class="primary">${e("class.send")}</button></div>
    ${O(s,"")}`}function I(s,t){let{code:n,mode:o,results:r}=s;return a`<button class="class-code" @click=${t} title=${e("class.show_code")}>${n}</button>
    <span class="class-count">${e("class.students",{count:r?.students??0})}</span>
    ${os(s)}
    <div class="segments" role="group" aria-label=${e("class.mode")}>
      ${["follow","free"].map(i=>a`<button aria-pressed=${i===o} @click=${()=>M(i)}>${e(`class.mode_${i}`)}</button>`)}</div>
    ${as(s)}
    <button class="quiet" aria-pressed=${s.locked} @click=${L}>${e(s.locked?"class.locked":"class.lock")}</button>
    ${u(s)==="open"?l:N().map(ns)}
    <span class="space"></span>
    <button class="quiet" @click=${R}>${e("class.save")}</button>
    <button class="quiet" @click=${ls}>${e("class.end")}</button>`}var as=({tools:s})=>a`<details class="class-tools"><summary>${e("class.tools",{count:(s??d).length,all:d.length})}</summary>
    <div role="group" aria-label=${e("class.tools_about")}>
      ${d.map(t=>a`<label><input type="checkbox" .checked=${(s??d).includes(t)} @change=${()=>z(t)}>
          ${e(`dock.${t}`)}</label>`)}</div></details>`,ns=(s,t)=>a`<button class=${t===0?"primary":"quiet"} @click=${()=>m(s)}>${e(`class.ask_${s}`)}</button>`;function os({results:s}){let t=String(Math.max(0,c.value.cursor)),n=s?.lost[t]??0,o=s?.steps[t]??0;return a`${o>0?a`<span class="class-count">${e("class.here",{count:o})}</span>`:l}
    ${n>0?a`<strong class="class-lost">${e("class.lost_count",{count:n})}</strong>`:l}`}function ls(){confirm(e("class.end_sure"))&&B()}function J(s){let{question:t}=s,n=k(s);return!t||u(s)==="revealed"&&c.value.cursor>t.step?l:a`<section class="class-question" aria-label=${e("class.question")}>
    <p class="class-asked"><strong>${e("class.round",{round:t.round})}</strong>
      ${t.prompt?rs(t.prompt):e(`class.ask_${t.kind}`)}
      <span class="class-count">${e("class.answered",{answered:n?.answered??0,students:s.results?.students??0})}</span></p>
    ${p(is(s))}
    <div class="row">${cs(s)}</div></section>`}var rs=({en:s,zh:t})=>c.value.language==="zh-CN"?t:s;function cs(s){let{question:t}=s;return u(s)==="open"?a`<button class="primary" @click=${A}>${e("class.close")}</button>`:u(s)==="revealed"||!t?l:a`<button class="primary" @click=${Q}>${e("class.reveal")}</button>
    ${t.round===1?a`<button @click=${()=>m(t.kind,2)}>${e("class.second")}</button>`:l}`}function is({question:s,results:t}){let n=(t?.questions??[]).filter(({step:r,kind:i})=>r===s?.step&&i===s?.kind);return[...new Map(n.map(r=>[r.round,r])).values()].filter(({bins:r})=>r!==null)}var h=class extends v{constructor(){super(),y("styles/classroom.css")}render(){let{classroom:t}=c.value;if(!t)return l;let[n,o]=t.role==="teacher"?[I,J]:[D,G];return a`<section class="class-bar" aria-label=${e("class.title")}>${n(t,V)}</section>
      ${t.ended?l:o(t)}
      ${t.role==="teacher"?U(t):l}
      <p class="class-news" role="status">${t.connection==="away"&&!t.ended?e("class.away"):""}</p>`}};customElements.define("gl-class",h);
