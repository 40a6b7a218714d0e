import { opaqueSchema, type ServedSubresource } from "@rookery/apiserver";
import type { BuiltInKind } from "../kinds/declaration/kind.ts";
import { createScaleFieldManager } from "../managed-fields/scale-fields.ts";
import { finalizeRules } from "./built-in-rules.ts";
import { servedBinding } from "./pod-binding.ts";
import { servedEviction } from "./pod-eviction.ts";
import { createScaleStorage, scaleStrategy } from "./scale-storage.ts";
import type { RegistryContext } from "./served-kind.ts";
import { createStatusStorage } from "./storage.ts";
import type { StorageOptions } from "./storage-options.ts";
import { createStatusStrategy } from "./strategy.ts";

const scaleType = "k8s.io/api/autoscaling/v1.Scale";

/** The subresources of a built-in kind. */
export function subresourcesOf(
  kind: BuiltInKind,
  options: StorageOptions,
  { decoderOf, patchSchemaOf, fieldManagerOf }: RegistryContext,
): Readonly<Record<string, ServedSubresource>> {
  const decode = decoderOf?.(scaleType);
  const patchSchema = patchSchemaOf?.(scaleType);
  const isNamespace = kind.group === "" && kind.kind === "Namespace";
  const isPod = kind.group === "" && kind.kind === "Pod";
  const further = Object.entries(kind.subresources ?? {}).map(([name, status]) => {
    const own = { ...options, rules: { ...options.rules, status } };
    const served = { handlers: createStatusStorage(own), strategy: createStatusStrategy(own) };
    return [name, served] as const;
  });
  return {
    ...Object.fromEntries(further),
    ...(kind.status && {
      status: { handlers: createStatusStorage(options), strategy: createStatusStrategy(options) },
    }),
    ...(kind.scale && {
      scale: {
        ...scaleOf(kind.scale, options),
        ...(decode && { decode }),
        ...(patchSchema && { patchSchema }),
        ...(fieldManagerOf && { fieldManager: createScaleFieldManager() }),
      },
    }),
    ...(isNamespace && { finalize: finalizeOf(options) }),
    ...(isPod && {
      binding: servedBinding(options, decoderOf?.("k8s.io/api/core/v1.Binding")),
      eviction: servedEviction(options, decoderOf?.("k8s.io/api/policy/v1.Eviction")),
    }),
  };
}

function scaleOf(
  scale: NonNullable<BuiltInKind["scale"]>,
  options: StorageOptions,
): ServedSubresource {
  return {
    kind: { group: "autoscaling", version: "v1", kind: "Scale" },
    model: "io.k8s.api.autoscaling.v1.Scale",
    schema: opaqueSchema,
    handlers: createScaleStorage({ ...options, scale }),
    strategy: scaleStrategy,
  };
}

function finalizeOf(options: StorageOptions): ServedSubresource {
  const rules = { ...options.rules, status: finalizeRules };
  const finalize = { ...options, rules };
  const { update } = createStatusStorage(finalize);
  return { handlers: { update }, strategy: createStatusStrategy(finalize) };
}
