// The documentation of the REST interface, drawn by Swagger UI from the server's own OpenAPI document.

const { SwaggerUIBundle } = /** @type {{SwaggerUIBundle: (options: object) => void}} */ (/** @type {unknown} */ (globalThis));

SwaggerUIBundle({
  url: "api/v1/openapi.json",
  dom_id: "#interface",
  deepLinking: true,
  validatorUrl: null, // no other host hears of this page
  /** @param {{headers: Record<string, string>}} request */
  requestInterceptor(request) {
    const key = localStorage.getItem("gradlens.key"); // of a service that asks for one; the page has asked for it
    if (key) request.headers["Gradlens-Key"] = key;
    return request;
  },
});
