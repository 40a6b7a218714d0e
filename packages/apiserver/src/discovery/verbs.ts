import type { ResourceHandlers } from "../resource/handlers.ts";
import type { ServedResource } from "../resource/served-group.ts";

/** The verbs of a resource as discovery tells them. */
export function discoveredVerbs({ handlers, discoveredVerbs }: ServedResource): readonly string[] {
  return discoveredVerbs ?? verbsOf(handlers);
}

/** The verbs that a resource has by the functions that it brings, in alphabetical order. */
export function verbsOf(handlers: ResourceHandlers): string[] {
  const verbs = [
    handlers.create && "create",
    handlers.delete && "delete",
    handlers.deleteCollection && "deletecollection",
    handlers.get && "get",
    handlers.list && "list",
    handlers.update && "patch",
    handlers.update && "update",
    handlers.watch && "watch",
  ];
  return verbs.filter((verb) => verb !== undefined);
}
