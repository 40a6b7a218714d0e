/** Loaded lazily by `loadApiServer`. */
export { assertPlugins, builtInAdmission } from "./admission/built-in-admission.ts";
export { createServiceAccountTokens } from "./authentication/service-account-tokens.ts";
export { createTokenKeys } from "./authentication/token-keys.ts";
export { createRuleResolver } from "./rbac/rule-resolver.ts";
export { createStorage } from "./registry/storage.ts";
export { createStrategy } from "./registry/strategy.ts";
export { groupsOf, servedBuiltInKinds } from "./server/built-in-groups.ts";
export { startApiServer } from "./server/start-api-server.ts";
export { openStore } from "./store/open-store.ts";
