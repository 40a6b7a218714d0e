import { type CreateRequest, opaqueSchema, type ServedResource } from "@rookery/apiserver";
import type { KubeObject } from "@rookery/kube";
import { createBuiltInFieldManager } from "../managed-fields/built-in-field-manager.ts";
import { typedDecoder } from "../types/typed-decoder.ts";

/** A kind whose objects are only created and answered, never stored. */
export interface ReviewKind {
  readonly group: string;
  readonly kind: string;
  readonly namespaced?: boolean;
  /** Throws StatusErrors. */
  readonly answer: (review: KubeObject, request: CreateRequest) => KubeObject | Promise<KubeObject>;
}

/** Serves a review; its answer has the field order of the Go type. */
export function servedReview(kind: ReviewKind): ServedResource {
  const { group, kind: name, namespaced = false } = kind;
  const singular = name.toLowerCase();
  const plural = `${singular}s`;
  const [go = ""] = group.split(".");
  const goType = `k8s.io/api/${go}/v1.${name}`;
  const model = `io.k8s.api.${go}.v1.${name}`;
  const decode = typedDecoder(goType);
  return {
    kind: name,
    plural,
    singular,
    namespaced,
    schema: opaqueSchema,
    model,
    decode,
    fieldManager: createBuiltInFieldManager({
      group,
      version: "v1",
      kind: name,
      plural,
      goType,
      model,
    }),
    supportsDryRun: true,
    handlers: {
      create: async (request) => {
        const answer = await kind.answer(request.object, request);
        return decode(answer as never).object as unknown as KubeObject;
      },
    },
  };
}
