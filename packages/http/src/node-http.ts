/**
 * What is used of node:http. To import it as a module evaluates all that it exports, with a second
 * undici among it: 12 MB that nobody needs.
 */
export const { createServer, ServerResponse, validateHeaderName, validateHeaderValue } =
  process.getBuiltinModule("node:http");
