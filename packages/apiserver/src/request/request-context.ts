import { type Context, contextKey, type HttpRequest } from "@rookery/http";
import type { RequestInfo } from "@rookery/kube";
import { MisroutedRequestError } from "../errors.ts";
import type { UserInfo } from "./user.ts";
import type { Warnings } from "./warnings.ts";

/** Context keys of the pipeline's results. */
export const requestInfoKey = contextKey<RequestInfo>("request info");
export const userKey = contextKey<UserInfo>("user");
export const auditIdKey = contextKey<string>("audit ID");
export const warningsKey = contextKey<Warnings>("warnings");

/** Set for every handler behind the pipeline. */
export function requestInfoOf({ context }: Pick<HttpRequest, "context">): RequestInfo {
  const info = context.get(requestInfoKey);
  if (info === undefined) throw new MisroutedRequestError("request info");
  return info;
}

/** Set for every handler behind authentication. */
export function userOf({ context }: { readonly context: Context }): UserInfo {
  const user = context.get(userKey);
  if (user === undefined) throw new MisroutedRequestError("user");
  return user;
}
