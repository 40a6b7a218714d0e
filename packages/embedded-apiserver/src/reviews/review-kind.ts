import type { CreateRequest, ServedResource } from "@rookery/apiserver";
import type { KubeObject } from "@rookery/kube";
import { createBuiltInFieldManager } from "../managed-fields/built-in-field-manager.ts";
import { typedDecoder } from "../types/typed-decoder.ts";

/** A kind that is only created, to be answered: nothing of it is kept. */
export interface ReviewKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** The answer to a review. Throws StatusErrors. */
  readonly answer: (review: KubeObject, request: CreateRequest) => KubeObject | Promise<KubeObject>;
}

/** Serves a review, its answer written as Kubernetes writes it. */
export function servedReview(kind: ReviewKind): ServedResource {
  const { group, kind: name, plural, namespaced } = kind;
  const [go = ""] = group.split(".");
  const goType = `k8s.io/api/${go}/v1.${name}`;
  const model = `io.k8s.api.${go}.v1.${name}`;
  const decode = typedDecoder(goType);
  return {
    ...{ kind: name, plural, singular: plural.replace(/s$/, ""), namespaced },
    schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    model,
    decode,
    fieldManager: createBuiltInFieldManager({
      ...{ group, version: "v1", kind: name, plural, goType, model },
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
