import type { RequestInfo } from "../request/request-info.ts";
import { createVerb } from "./create.ts";
import type { VerbHandler } from "./exchange.ts";
import { getVerb, listVerb } from "./read.ts";
import type { ResourceScope } from "./registry.ts";

/** What a resource serves at its collection, or at one of its objects, by the verb of a request. */
export function verbHandlersOf({ handlers }: ResourceScope, isObject: boolean): VerbHandlers {
  return isObject
    ? {
        get: handlers.get && getVerb(handlers.get),
      }
    : {
        create: handlers.create && createVerb(handlers.create),
        list: handlers.list && listVerb(handlers.list),
      };
}

export type VerbHandlers = Readonly<Record<string, VerbHandler | undefined>>;

/** Whether a path leads to one object, or to a subresource of one. */
export function isObjectPath({ parts }: RequestInfo): boolean {
  return parts.length > 1;
}
