function u(e){let l=null;return()=>(l??={value:e()}).value}export{u as a};
