import{a as c}from"./chunk-OPTXQNEX.js";import"./chunk-BYXBJQAS.js";import{Fc as u,Va as i,Wa as a,Ya as s,ba as l,md as g,ud as d,xc as t,zc as n}from"./chunk-FZ6VZXKF.js";var $=200;c("styles/progress.css");var p=class extends u{render(){let{progress:r}=i.value;if(!r)return n;let{stopped:o,printed:e}=r;return t`<section class="progress" aria-label=${s("progress.title")}>
      <div class="row"><h2 role="status">${s(o?"progress.stopped":"progress.running")}</h2>
        ${o?this.afterwards():t`<button class="stop" @click=${g}>${s("progress.stop")}</button>`}</div>
      ${o?n:t`<progress aria-label=${s("progress.running")}></progress>`}
      <p class="note">${this.words(r)}</p>
      ${e.length===0?n:this.output(e)}
    </section>`}afterwards(){return t`<span><button @click=${d}>${s("progress.again")}</button>
      <button @click=${()=>a({progress:null})}>${s("progress.close")}</button></span>`}words({line:r,steps:o,runs:e,elapsed_ms:m}){return[r===null?"":s("progress.line",{line:r}),s("progress.steps",{count:o}),e>0&&s("progress.runs",{count:e}),s("progress.seconds",{seconds:l(Math.round(m/100)/10)})].filter(Boolean).join(" · ")}output(r){return t`<pre class="printed" tabindex="0" aria-label=${s("output.title")}>${r.slice(-$).join(`
`)}</pre>`}updated(){let r=this.querySelector("pre");r?.scrollTo(0,r.scrollHeight)}};customElements.define("gl-progress",p);
