/** The used parts of node:http. Importing the module would evaluate a second undici of 12 MB. */
export const { createServer, ServerResponse, validateHeaderName, validateHeaderValue } =
  process.getBuiltinModule("node:http");
