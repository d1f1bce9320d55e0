import"./chunk-7OAPBVK3.js";import"./chunk-NYJF7J4X.js";import"./chunk-3RXM5NM7.js";import"./chunk-NMXAFSNM.js";import"./chunk-C26VYWZH.js";import"./chunk-OPTXQNEX.js";import"./chunk-GANBR27M.js";import"./chunk-BYXBJQAS.js";import{Bb as l,Eb as h,Fc as m,Va as e,Wa as r,Ya as o,_b as n,cc as p,gc as u,hc as d,xc as t,zc as g}from"./chunk-FZ6VZXKF.js";var k=[["tensorflow","graph.detail.tensorflow"],["essentials","graph.detail.essentials"]],O=[[!1,"graph.layout.pair"],[!0,"graph.layout.merged"]],w=[["phase","graph.colour.phase"],["structure","graph.colour.structure"],["device","graph.colour.device"]],$=[["right","graph.direction.right"],["down","graph.direction.down"],["up","graph.direction.up"]],a=class extends m{render(){return t`
      ${l.value==="mathematics"?this.choices("direction","graph.direction",$):this.choicesOfNodes()}
      ${e.value.moved.size===0?g:t`<button @click=${()=>r(p(e.value))}>${o("graph.put_back")}</button>`}`}choicesOfNodes(){return t`
      ${this.choices("detail","graph.detail",k)}
      ${this.choices("merged","graph.layout",O)}
      ${this.choices("direction","graph.direction",$)}
      ${this.choices("colour","graph.colour",w)}
      <hr>
      <button @click=${()=>r(u(e.value,h.value))}>${o("graph.open_all")}</button>
      <button @click=${()=>r(d(e.value))}>${o("graph.close_all")}</button>`}choices(i,c,v){let f=e.value[i];return t`<div role="group" aria-label=${o(c)}><p class="note">${o(c)}</p>${v.map(([s,b])=>t`<button aria-pressed=${s===f}
        @click=${()=>r(n(e.value,{[i]:s}))}>${o(b)}</button>`)}</div>`}};customElements.define("gl-graph-menu",a);
