import{a as e,b as l}from"./chunk-D57FWASV.js";import{a as v,b as m,d as g,f as k,h as y,i as w}from"./chunk-NQT7DB7H.js";import"./chunk-X4SBZVB2.js";import{a as u}from"./chunk-6T76JXK4.js";import"./chunk-YNFSEXY7.js";import{a as h}from"./chunk-MKUHYT2K.js";import"./chunk-3YKYRG57.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{Ca as $,Pb as n,Rb as d,Xb as b,ac as p}from"./chunk-2BHWEDA2.js";var f=class extends b{firstUpdated(){h("styles/course.css")}updated(s){super.updated(s);let t=$.value.item?.id??"";if(this.dataset.item!==t){this.dataset.item=t,this.scrollTop=0;for(let o of this.querySelectorAll("details"))o.open=!1}}render(){let{item:s,notes:t}=$.value;if(!s)return d;let o=e(t.folded?"unfold":"fold"),a=()=>m({...t,folded:!t.folded});return n`<section class="course-card" aria-label=${e("card")}>
      <div class="row">
        <h2><span class="count">${s.id.toUpperCase()}</span> ${l(s.title)}</h2>
        <span class="card-buttons">
          <button class="quiet square" aria-expanded=${!t.folded} aria-controls="course-body" title=${o} aria-label=${o}
            @click=${a}>${t.folded?u.down:u.up}</button>
          <button class="quiet square" title=${e("leave")} aria-label=${e("leave")} @click=${y}>${u.close}</button>
        </span>
      </div>
      ${this.place(s)}
      <div id="course-body" ?hidden=${t.folded}>${this.body(s)}</div>
    </section>`}body(s){return n`<p class="goal">${p(l(s.goal))}</p>
      ${this.prompts(s)}${this.actions(s)}
      ${this.question(e("ask"),s.ask,s.ask.trap)}
      ${this.question(e("closing"),s.closing)}
      ${this.next(s)}`}place(s){let{readyLesson:t,course:o}=$.value,a=t&&o?.lessons.find(({id:x})=>x===t.id),i=a?.stops[t?.stop??-1];if(!t||!a||i?.item!==s.id)return d;let[r,c]=[t.stop+1,a.stops.length];return n`<div class="lesson-place">
      <div class="row"><span><strong>${l(a.title)}</strong> <span class="count">${e("place",{place:r,count:c})}</span></span>
        <span class="card-buttons">${this.way("previous_stop",a.id,r-2,c)}${this.way("next_stop",a.id,r,c)}</span></div>
      <p>${p(l(i.do))}${r===c?n` <span class="count">${e("over")}</span>`:d}</p></div>`}way(s,t,o,a){let i=o<0||o>=a;return n`<button class="square" aria-disabled=${i} title=${e(s)} aria-label=${e(s)}
      @click=${()=>!i&&k(t,o)}>${s==="next_stop"?u.next:u.back}</button>`}prompts({id:s,prompts:t}){let{notes:o}=$.value,a=o.ticked[s]??[],i=r=>m(v(o,s,r));return n`<ol class="prompts" aria-label=${e("prompts")}>${t.map((r,c)=>n`<li><label><input type="checkbox" .checked=${a.includes(c)} @change=${()=>i(c)}>
        <span>${p(l(r))}</span></label></li>`)}</ol>`}actions({actions:s}){return s.length===0?d:n`<div class="actions" role="group" aria-label=${e("actions")}>${s.map(({label:t,do:o})=>n`<button @click=${()=>w(o)}>${l(t)}</button>`)}</div>`}question(s,{question:t,answer:o},a){return n`<details><summary><strong>${s}</strong> ${p(l(t))} <span class="show">${e("show")}</span></summary>
      <p>${p(l(o))}</p>
      ${a?n`<p class="trap"><strong>${e("trap")}</strong> ${p(l(a))}</p>`:d}</details>`}next({next:s}){return n`<p class="next">${e("next")} ${s.map(({id:t,title:o})=>n`<button class="link" @click=${()=>g(t)}>${l(o)}</button> `)}</p>`}};customElements.define("gl-course",f);
