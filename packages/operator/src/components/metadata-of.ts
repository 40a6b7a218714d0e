import { type Client, createClientOver, type ResourceClient } from "@rookery/client";
import { compose } from "@rookery/http";
import type { PartialObjectMetadata, Resource } from "@rookery/kube";

const accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

/** Transfers only the metadata of single objects; `metadataOnlyClient` does it for lists. */
export function metadataOf(
  { handler }: Pick<Client, "handler">,
  resource: Resource,
): Pick<ResourceClient<PartialObjectMetadata>, "apply" | "get"> {
  const accepting = compose(handler, (next) => (request) => {
    return next({ ...request, headers: { ...request.headers, accept } });
  });
  return createClientOver(accepting).resource(resource);
}
