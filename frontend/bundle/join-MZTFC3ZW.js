import"./chunk-XAUZBMP2.js";import{c as d,n as f}from"./chunk-77U46BBO.js";import"./chunk-P7JF5Q6D.js";import"./chunk-RTC7ADNF.js";import"./chunk-7OAPBVK3.js";import"./chunk-NYJF7J4X.js";import{k as n}from"./chunk-3RXM5NM7.js";import"./chunk-NMXAFSNM.js";import"./chunk-C26VYWZH.js";import{a as m}from"./chunk-OPTXQNEX.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{Fc as p,Va as a,Wa as c,Ya as e,xc as l,zc as u}from"./chunk-FZ6VZXKF.js";var x=m("styles/classroom.css"),r=class extends p{static properties={refused:{state:!0}};constructor(){super(),this.refused=""}render(){let{trouble:t}=a.value;return l`<form class="class-join" @submit=${this.join}>
        <label for="class-code">${e("class.code")}</label>
        <div class="row"><input id="class-code" autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="K7F3-QX4M" @input=${v}>
        <button class="primary">${e("class.join")}</button></div>
        ${this.refused?l`<p class="mistake" role="alert">${t&&!t.offline?this.words(t.problem):e("class.unknown")}</p>`:u}
      </form>
      <p class="note">${e("class.start_about")}</p>
      <button @click=${this.start}>${e("class.start")}</button>
      <p class="note">${e("class.privacy")}</p>`}words(t){return a.value.language==="zh-CN"?t.message_zh:t.detail}async join(t){t.preventDefault();let o=this.querySelector("#class-code"),s=await f(o.value);this.refused=s?"":o.value,s&&this.leave()}async start(){await d(),a.value.classroom&&this.leave()}leave(){c({trouble:null}),this.closest("[popover]")?.hidePopover()}};function v({target:i}){let t=i,[o,s]=[n(t.value),t.selectionStart??0];if(o===t.value)return;let h=s===t.value.length||s===0;t.value=o,h||t.setSelectionRange(s,s)}customElements.define("gl-join",r);export{x as styled};
