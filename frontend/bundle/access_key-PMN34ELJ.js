import"./chunk-BYXBJQAS.js";import{Fc as a,Ya as e,j as s,k as i,xc as t,zc as o}from"./chunk-FZ6VZXKF.js";var r=class extends a{static properties={tried:{state:!0}};constructor(){super(),this.tried=!1,addEventListener("key-needed",()=>this.open())}firstUpdated(){s()&&this.open()}open(){this.dialog?.showModal()}get dialog(){return this.querySelector("dialog")}render(){return t`<dialog class="access-key" aria-label=${e("key.title")} @cancel=${l=>l.preventDefault()}>
      <form method="dialog" @submit=${this.give}>
        <label for="access-key">${e("key.ask")}</label>
        <input id="access-key" type="password" autocomplete="current-password" required>
        ${this.tried?t`<p class="mistake" role="alert">${e("key.wrong")}</p>`:o}
        <button class="primary">${e("key.give")}</button></form></dialog>`}give(){this.tried=!0,i(this.querySelector("#access-key").value)}};customElements.define("gl-access-key",r);
