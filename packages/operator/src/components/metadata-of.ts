import { type Client, createClientOver, type ResourceClient } from "@rookery/client";
import { compose } from "@rookery/http";
import type { PartialObjectMetadata, Resource } from "@rookery/kube";

/** Asks for no more of the objects of a resource than their metadata. */
export function metadataOf(
  { handler }: Pick<Client, "handler">,
  resource: Resource,
): Pick<ResourceClient<PartialObjectMetadata>, "apply" | "get" | "list"> {
  const ask = (as: string) => {
    const accept = `application/json;as=${as};g=meta.k8s.io;v=v1`;
    const asking = compose(handler, (next) => (request) => {
      return next({ ...request, headers: { ...request.headers, accept } });
    });
    return createClientOver(asking).resource<PartialObjectMetadata>(resource);
  };
  return {
    get: (key, options) => ask("PartialObjectMetadata").get(key, options),
    apply: (object, options) => ask("PartialObjectMetadata").apply(object, options),
    list: (options) => ask("PartialObjectMetadataList").list(options),
  };
}
