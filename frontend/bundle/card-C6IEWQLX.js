import{a,b as r}from"./chunk-D2A2OPRO.js";import{a as k,b as y,c as w,d as m,f as x,h as q,j as I,k as f}from"./chunk-6ZUZPNBX.js";import"./chunk-7OAPBVK3.js";import"./chunk-NYJF7J4X.js";import"./chunk-3RXM5NM7.js";import"./chunk-NMXAFSNM.js";import{a as $}from"./chunk-C26VYWZH.js";import{a as g}from"./chunk-OPTXQNEX.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{Fc as v,Va as u,Wc as d,Ya as h,xc as n,zc as p}from"./chunk-FZ6VZXKF.js";var b=class extends v{firstUpdated(){g("styles/course.css")}updated(s){super.updated(s);let t=u.value.item?.id??"";if(this.dataset.item!==t){this.dataset.item=t,this.scrollTop=0;for(let e of this.querySelectorAll("details"))e.open=!1}}render(){let{item:s,notes:t}=u.value;if(!s)return p;let e=a(t.folded?"unfold":"fold"),o=()=>m({...t,folded:!t.folded});return n`<section class="course-card" aria-label=${a("card")}>
      <div class="row">
        <h2><span class="count">${s.id.toUpperCase()}</span> ${r(s.title)}</h2>
        <span class="card-buttons">
          <button class="quiet square" aria-expanded=${!t.folded} aria-controls="course-body" title=${e} aria-label=${e}
            @click=${o}>${t.folded?$.down:$.up}</button>
          <button class="quiet square" title=${a("leave")} aria-label=${a("leave")} @click=${I}>${$.close}</button>
        </span>
      </div>
      ${this.place(s)}
      <div id="course-body" ?hidden=${t.folded}>${this.body(s)}</div>
    </section>`}body(s){return n`<p class="goal">${d(r(s.goal))}</p>
      ${this.forms(s)}${this.prompts(s)}${this.actions(s)}
      ${this.question(a("ask"),s.ask,s.ask.trap)}
      ${this.question(a("closing"),s.closing)}
      ${this.next(s)}`}place(s){let{readyLesson:t,course:e}=u.value,o=t&&e?.lessons.find(({id:S})=>S===t.id),i=o?.stops[t?.stop??-1];if(!t||!o||i?.item!==s.id)return p;let[l,c]=[t.stop+1,o.stops.length];return n`<div class="lesson-place">
      <div class="row"><span><strong>${r(o.title)}</strong> <span class="count">${a("place",{place:l,count:c})}</span></span>
        <span class="card-buttons">${this.way("previous_stop",o.id,l-2,c)}${this.way("next_stop",o.id,l,c)}</span></div>
      <p>${d(r(i.do))}${l===c?n` <span class="count">${a("over")}</span>`:p}</p></div>`}way(s,t,e,o){let i=e<0||e>=o;return n`<button class="square" aria-disabled=${i} title=${a(s)} aria-label=${a(s)}
      @click=${()=>!i&&q(t,e)}>${s==="next_stop"?$.next:$.back}</button>`}prompts({id:s,prompts:t}){let{notes:e}=u.value,o=e.ticked[s]??[],i=l=>m(k(e,s,l));return n`<ol class="prompts" aria-label=${a("prompts")}>${t.map((l,c)=>n`<li><label><input type="checkbox" .checked=${o.includes(c)} @change=${()=>i(c)}>
        <span>${d(r(l))}</span></label></li>`)}</ol>`}forms(s){let t=w(s,u.value.source),e=o=>f([{text:o===s.dialect?"main":o}]);return s.forms.length===0?p:n`<div class="segments forms" role="group" aria-label=${a("forms")}>${y(s).map(o=>n`<button aria-pressed=${o===t} @click=${()=>o!==t&&e(o)}>${h(`dialect.${o}`)}</button>`)}</div>`}actions({actions:s}){return s.length===0?p:n`<div class="actions" role="group" aria-label=${a("actions")}>${s.map(({label:t,do:e})=>n`<button @click=${()=>f(e)}>${r(t)}</button>`)}</div>`}question(s,{question:t,answer:e},o){return n`<details><summary><strong>${s}</strong> ${d(r(t))} <span class="show">${a("show")}</span></summary>
      <p>${d(r(e))}</p>
      ${o?n`<p class="trap"><strong>${a("trap")}</strong> ${d(r(o))}</p>`:p}</details>`}next({next:s}){return n`<p class="next">${a("next")} ${s.map(({id:t,title:e})=>n`<button class="link" @click=${()=>x(t)}>${r(e)}</button> `)}</p>`}};customElements.define("gl-course",b);
