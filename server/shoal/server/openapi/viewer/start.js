// Shows the document of the server that this page came from. Nothing here asks any other host.
"use strict";

SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#operations",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  // Of five hundred schemas none is shown by itself; each is where it is used.
  defaultModelsExpandDepth: -1,
  // Else a badge of another host would check the document.
  validatorUrl: null,
});
