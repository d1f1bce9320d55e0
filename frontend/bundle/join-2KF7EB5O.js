import"./chunk-UQCSLGAN.js";import{c as d,n as f}from"./chunk-43RZX3VC.js";import"./chunk-WALVKJWU.js";import"./chunk-6EHOTMVL.js";import"./chunk-ITSVP7CM.js";import"./chunk-XGDKHNXW.js";import{k as n}from"./chunk-2SPDHMFD.js";import"./chunk-QPPISV4J.js";import"./chunk-V5MID7YK.js";import{a as m}from"./chunk-365AZKCB.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{Dc as p,Ta as a,Ua as c,Wa as e,vc as l,xc as u}from"./chunk-W2WFKJXK.js";var r=class extends p{static properties={refused:{state:!0}};constructor(){super(),this.refused="",m("styles/classroom.css")}render(){let{trouble:t}=a.value;return l`<form class="class-join" @submit=${this.join}>
        <label for="class-code">${e("class.code")}</label>
        <div class="row"><input id="class-code" autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="K7F3-QX4M" @input=${v}>
        <button class="primary">${e("class.join")}</button></div>
        ${this.refused?l`<p class="mistake" role="alert">${t&&!t.offline?this.words(t.problem):e("class.unknown")}</p>`:u}
      </form>
      <p class="note">${e("class.start_about")}</p>
      <button @click=${this.start}>${e("class.start")}</button>
      <p class="note">${e("class.privacy")}</p>`}words(t){return a.value.language==="zh-CN"?t.message_zh:t.detail}async join(t){t.preventDefault();let o=this.querySelector("#class-code"),s=await f(o.value);this.refused=s?"":o.value,s&&this.leave()}async start(){await d(),a.value.classroom&&this.leave()}leave(){c({trouble:null}),this.closest("[popover]")?.hidePopover()}};function v({target:i}){let t=i,[o,s]=[n(t.value),t.selectionStart??0];if(o===t.value)return;let h=s===t.value.length||s===0;t.value=o,h||t.setSelectionRange(s,s)}customElements.define("gl-join",r);
