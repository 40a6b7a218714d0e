import { createClientOver, type ResourceClient } from "@rookery/client";
import { compose, type Handler, type Interceptor } from "@rookery/http";
import {
  formatApiVersion,
  type KubeObject,
  type PartialObjectMetadata,
  type Resource,
} from "@rookery/kube";
import type { Transform } from "./replica.ts";

/** A client of a resource whose lists and watches bring no more of its objects than their metadata. */
export function metadataOnlyClient(
  handler: Handler,
  resource: Resource,
): ResourceClient<PartialObjectMetadata> {
  return createClientOver(compose(handler, askForMetadata())).resource(resource);
}

/** Gives objects that came as metadata alone their own kind back. */
export function withKindOf(resource: Resource): Transform<PartialObjectMetadata> {
  const apiVersion = formatApiVersion(resource);
  const { kind } = resource;
  return ({ metadata }) => ({ apiVersion, kind, metadata });
}

/** The server answers a list with a list, and a watch with single objects, whatever is asked for. */
function askForMetadata(): Interceptor {
  return (next) => (request) => {
    const watch = new URLSearchParams(request.query).get("watch") === "true";
    const as = watch ? "PartialObjectMetadata" : "PartialObjectMetadataList";
    const accept = `application/json;as=${as};g=meta.k8s.io;v=v1`;
    return next({ ...request, headers: { ...request.headers, accept } });
  };
}

/** Leaves out who manages which field: about a third of a typical object. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
