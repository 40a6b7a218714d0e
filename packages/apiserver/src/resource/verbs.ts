import type { RequestInfo } from "@rookery/kube";
import { createVerb } from "./create.ts";
import { deleteCollectionVerb, deleteVerb } from "./delete.ts";
import type { VerbHandler } from "./exchange.ts";
import { patchVerb } from "./patch.ts";
import { getVerb, listVerb } from "./read.ts";
import type { ResourceScope } from "./registry.ts";
import { updateVerb } from "./update.ts";
import { watchVerb } from "./watch.ts";

/** What a resource serves at a path, by the verb of a request. */
export function verbHandlersOf(scope: ResourceScope, info: RequestInfo): VerbHandlers {
  // One route leads to all of a custom kind: what is wrong with a path its handlers say.
  if (scope.resource.dialect === "custom") {
    return { ...objectHandlers(scope), ...collectionHandlers(scope) };
  }
  // An old path may watch one object: that is a watch of the collection by name.
  const isObject = isObjectPath(info) && info.verb !== "watch";
  return isObject ? objectHandlers(scope) : collectionHandlers(scope);
}

function objectHandlers({ handlers, subresource }: ResourceScope): VerbHandlers {
  const { create, get, update } = handlers;
  return {
    get: get && getVerb(get),
    create: subresource !== "" && create && createVerb(create),
    update: update && updateVerb(update),
    patch: update && patchVerb(update),
    delete: handlers.delete && deleteVerb(handlers.delete),
  };
}

function collectionHandlers({ handlers }: ResourceScope): VerbHandlers {
  const { create, list, watch, deleteCollection } = handlers;
  return {
    create: create && createVerb(create),
    list: list && listVerb(list),
    watch: watch && watchVerb(watch),
    deletecollection: deleteCollection && deleteCollectionVerb(deleteCollection),
  };
}

export type VerbHandlers = Readonly<Record<string, VerbHandler | false | undefined>>;

/** Whether a path leads to one object, or to a subresource of one. */
export function isObjectPath({ parts }: RequestInfo): boolean {
  return parts.length > 1;
}
