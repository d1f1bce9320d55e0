import{a as y,b as n}from"./chunk-NTGB5P3K.js";import{b,c as f}from"./chunk-LN4Q63PP.js";import"./chunk-MSJCWL6H.js";import"./chunk-LKZVWOL6.js";import"./chunk-TP2HLYQ7.js";import{a as $}from"./chunk-X7A2BXUZ.js";import"./chunk-W7XBDESC.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{$a as m,Ka as h,La as p,Na as t,bb as d,ec as s,gc as a,mc as u}from"./chunk-Y6XRRQTK.js";var v=/^(localhost|127\.|\[::1\])/,c=class extends u{#e={link:"",short:"",embed:""};#t=null;#s=null;render(){return s`${this.text("link")}
      ${this.#t?this.code(this.#t):a}
      ${v.test(location.hostname)?s`<p class="note">${t("share.here_alone")}</p>`:a}
      ${this.text("embed")}
      ${this.ways()}
      <p class="note" role="status">${this.#s?t(`share.copied.${this.#s}`):""}</p>
      ${this.large()}`}ways(){let r={download:()=>document.querySelector("#download-menu")?.showPopover(),print:async()=>(await d(()=>import("./print-5ZUK2VDM.js")))?.printSheets(),present:()=>p({present:!0})},l=i=>()=>{this.closest("[popover]")?.hidePopover(),i()};return s`<div class="ways">${Object.entries(r).map(([i,g])=>s`<button @click=${l(g)}>${t(`header.${i}`)}</button>`)}</div>`}text(e){let o=({target:l})=>l.select(),r=e==="link"?this.#e.link:this.#e.embed&&f(this.#e.embed,this.frameTitle());return s`<label class="note" for="share-${e}">${t(`share.about.${e}`)}</label>
      <div class="row">
        <input id="share-${e}" readonly .value=${r} @focus=${o}>
        <button class="${e==="link"?"primary":""} copy" aria-label=${`${t("share.copy")}: ${t(`share.name.${e}`)}`}
          @click=${()=>this.copy(e)}>${t("share.copy")}</button>
      </div>`}frameTitle(){let{item:e,language:o,source:r}=h.value;return e?o==="en"?e.title.en:e.title.zh:r.trim().split(`
`)[0]}code(e){return s`<div class="qr">${n(e,t("share.qr"))}
      <p class="note">${t("share.scan")} <button class="large" @click=${this.enlarge}>${t("share.enlarge")}</button></p></div>`}large(){return s`<dialog class="qr-large" aria-label=${t("share.qr")}>
      ${this.#t?n(this.#t,t("share.qr")):a}
      <p class="address">${this.#e.short}</p>
      <form method="dialog"><button autofocus>${t("share.close")}</button></form></dialog>`}async renew(){this.#s=null,$("styles/share.css"),this.#e=await b().catch(m)??{link:"",short:"",embed:""},this.#t=this.#e.short?y(this.#e.short):null,this.requestUpdate()}enlarge(){this.querySelector("dialog")?.showModal()}async copy(e){let o=this.querySelector(`#share-${e}`);o.select(),await navigator.clipboard.writeText(o.value).catch(()=>document.execCommand("copy")),this.#s=e,this.requestUpdate()}};customElements.define("gl-share",c);export{c as Share};
