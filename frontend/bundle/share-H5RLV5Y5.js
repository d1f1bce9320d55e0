import{a as g,b as n}from"./chunk-P7JF5Q6D.js";import{b,c as y}from"./chunk-RTC7ADNF.js";import{h as f}from"./chunk-7OAPBVK3.js";import"./chunk-NYJF7J4X.js";import"./chunk-3RXM5NM7.js";import"./chunk-NMXAFSNM.js";import"./chunk-C26VYWZH.js";import{a as $}from"./chunk-OPTXQNEX.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{Fc as u,Va as h,Wa as p,Ya as t,lb as m,nb as d,xc as o,zc as a}from"./chunk-FZ6VZXKF.js";var w=/^(localhost|127\.|\[::1\])/,c=class extends u{#e={link:"",short:"",embed:""};#t=null;#s="";render(){return o`${this.text("link")}
      ${this.#t?this.code(this.#t):a}
      ${w.test(location.hostname)?o`<p class="note">${t("share.here_alone")}</p>`:a}
      ${this.text("embed")}
      ${this.ways()}
      <p class="note" role="status">${this.#s}</p>
      ${this.large()}`}ways(){let r={download:()=>document.querySelector("#download-menu")?.showPopover(),print:async()=>(await d(()=>import("./print-YAK45DHQ.js")))?.printSheets(),present:()=>p({present:!0})},i=l=>()=>{this.closest("[popover]")?.hidePopover(),l()};return o`<div class="ways">${Object.entries(r).map(([l,v])=>o`<button @click=${i(v)}>${t(`header.${l}`)}</button>`)}</div>`}text(e){let s=({target:i})=>i.select(),r=e==="link"?this.#e.link:this.#e.embed&&y(this.#e.embed,this.frameTitle());return o`<label class="note" for="share-${e}">${t(`share.about.${e}`)}</label>
      <div class="row">
        <input id="share-${e}" readonly .value=${r} @focus=${s}>
        <button class="${e==="link"?"primary":""} copy" aria-label=${`${t("share.copy")}: ${t(`share.name.${e}`)}`}
          @click=${()=>this.copy(e)}>${t("share.copy")}</button>
      </div>`}frameTitle(){let{item:e,language:s,source:r}=h.value;return e?s==="en"?e.title.en:e.title.zh:r.trim().split(`
`)[0]}code(e){return o`<div class="qr">${n(e,t("share.qr"))}
      <p class="note">${t("share.scan")} <button class="large" @click=${this.enlarge}>${t("share.enlarge")}</button></p></div>`}large(){return o`<dialog class="qr-large" aria-label=${t("share.qr")}>
      ${this.#t?n(this.#t,t("share.qr")):a}
      <p class="address">${this.#e.short}</p>
      <form method="dialog"><button autofocus>${t("share.close")}</button></form></dialog>`}async renew(){this.#s="",$("styles/share.css"),this.#e=await b().catch(m)??{link:"",short:"",embed:""},this.#t=this.#e.short?g(this.#e.short):null,this.requestUpdate()}enlarge(){this.querySelector("dialog")?.showModal()}async copy(e){let s=this.querySelector(`#share-${e}`);s.select();let r=await f(s.value);s.select(),this.#s=t(r?`share.copied.${e}`:"share.not_copied"),this.requestUpdate()}};customElements.define("gl-share",c);export{c as Share};
