// The documentation of the REST interface, drawn by Swagger UI from the server's own OpenAPI document.

const { SwaggerUIBundle } = /** @type {{SwaggerUIBundle: (options: object) => void}} */ (/** @type {unknown} */ (globalThis));

SwaggerUIBundle({
  url: "api/v1/openapi.json",
  dom_id: "#interface",
  deepLinking: true,
  validatorUrl: null, // no other host hears of this page
});
