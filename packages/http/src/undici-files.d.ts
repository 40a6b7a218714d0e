// biome-ignore-all lint/style/noDefaultExport: modules of CommonJS have nothing else
/** Single files of undici, imported for the reason in undici-pools.ts. */
declare module "undici/lib/dispatcher/pool.js" {
  export { Pool as default } from "undici";
}
declare module "undici/lib/dispatcher/proxy-agent.js" {
  export { ProxyAgent as default } from "undici";
}
declare module "undici/lib/core/connect.js" {
  export { buildConnector as default } from "undici";
}
declare module "undici/lib/dispatcher/dispatcher.js" {
  export { Dispatcher as default } from "undici";
}
declare module "undici/lib/api/api-connect.js" {
  export { connect as default } from "undici";
}
