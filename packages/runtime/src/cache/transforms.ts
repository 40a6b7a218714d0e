import { createClientOver, type ResourceClient } from "@rookery/client";
import { compose, type Handler, type Interceptor } from "@rookery/http";
import {
  formatApiVersion,
  type KubeObject,
  type PartialObjectMetadata,
  type Resource,
} from "@rookery/kube";
import type { Transform } from "./replica.ts";

/** A client of a resource whose lists and watches return the metadata of objects only. */
export function metadataOnlyClient(
  handler: Handler,
  resource: Resource,
): ResourceClient<PartialObjectMetadata> {
  return createClientOver(compose(handler, askForMetadata())).resource(resource);
}

/** Replaces the kind PartialObjectMetadata of objects by their own kind. */
export function withKindOf(resource: Resource): Transform<PartialObjectMetadata> {
  const apiVersion = formatApiVersion(resource);
  const { kind } = resource;
  return ({ metadata }) => ({ apiVersion, kind, metadata });
}

/** The response to a list is a list, and to a watch single objects. */
function askForMetadata(): Interceptor {
  return (next) => (request) => {
    const watch = new URLSearchParams(request.query).get("watch") === "true";
    const as = watch ? "PartialObjectMetadata" : "PartialObjectMetadataList";
    const accept = `application/json;as=${as};g=meta.k8s.io;v=v1`;
    return next({ ...request, headers: { ...request.headers, accept } });
  };
}

/** Removes the managed fields: about a third of a typical object. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
