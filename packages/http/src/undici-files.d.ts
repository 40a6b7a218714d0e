// biome-ignore-all lint/style/noDefaultExport: modules of CommonJS have nothing else
/** Files of undici, which has types for the whole alone: see undici-pools.ts for why they are imported. */
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
