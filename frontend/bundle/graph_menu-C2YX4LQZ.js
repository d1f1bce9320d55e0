import"./chunk-XL4YWPU3.js";import"./chunk-BHPPN3ZU.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{Ib as m,Oa as l,Ra as n,cb as r,eb as h,kb as p,ob as u,pa as o,qa as a,sa as e,sb as d,tb as g}from"./chunk-T5R4UKT3.js";var k=[["tensorflow","graph.detail.tensorflow"],["essentials","graph.detail.essentials"]],O=[[!1,"graph.layout.pair"],[!0,"graph.layout.merged"]],w=[["phase","graph.colour.phase"],["structure","graph.colour.structure"],["device","graph.colour.device"]],$=[["right","graph.direction.right"],["down","graph.direction.down"],["up","graph.direction.up"]],E=["svg","png"],i=class extends m{render(){return r`
      ${l.value==="mathematics"?this.choices("direction","graph.direction",$):this.choicesOfNodes()}
      ${o.value.moved.size===0?h:r`<button @click=${()=>a(u(o.value))}>${e("graph.put_back")}</button>`}
      <hr>
      ${E.map(t=>r`<button @click=${()=>this.save(t)}>${e(`graph.save_${t}`)}</button>`)}`}choicesOfNodes(){return r`
      ${this.choices("detail","graph.detail",k)}
      ${this.choices("merged","graph.layout",O)}
      ${this.choices("direction","graph.direction",$)}
      ${this.choices("colour","graph.colour",w)}
      <hr>
      <button @click=${()=>a(d(o.value,n.value))}>${e("graph.open_all")}</button>
      <button @click=${()=>a(g(o.value))}>${e("graph.close_all")}</button>`}choices(t,s,v){let b=o.value[t];return r`<div role="group" aria-label=${e(s)}><p class="note">${e(s)}</p>${v.map(([c,f])=>r`<button aria-pressed=${c===b}
        @click=${()=>a(p(o.value,{[t]:c}))}>${e(f)}</button>`)}</div>`}save(t){this.dispatchEvent(new CustomEvent("savepicture",{bubbles:!0,detail:t}))}};customElements.define("gl-graph-menu",i);
