import type { ResourceHandlers } from "../resource/handlers.ts";
import type { ServedResource, ServedSubresource } from "../resource/served-group.ts";

/** The verbs of a resource as discovery tells them. */
export function discoveredVerbs({ handlers, discoveredVerbs }: ServedResource): readonly string[] {
  return discoveredVerbs ?? verbsOf(handlers);
}

const verbsOfMethods: ReadonlyMap<string, string> = new Map([
  ["DELETE", "delete"],
  ["GET", "get"],
  ["PATCH", "patch"],
  ["POST", "create"],
  ["PUT", "update"],
]);

/** The verbs of a subresource, in alphabetical order. */
export function subresourceVerbs({ handlers, connect }: ServedSubresource): readonly string[] {
  if (!connect) return verbsOf(handlers);
  const verbs = connect.methods.map((method) => verbsOfMethods.get(method));
  return verbs.filter((verb) => verb !== undefined).toSorted();
}

/** The verbs that a resource has by the functions that it brings, in alphabetical order. */
function verbsOf(handlers: ResourceHandlers): string[] {
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
