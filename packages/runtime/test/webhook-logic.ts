import { FieldError, fieldPath, invalidError, type KubeObject } from "@rookery/kube";
import {
  ConversionError,
  conversionWebhook,
  hubConversion,
  mutatingWebhook,
  validatingWebhook,
} from "@rookery/runtime";
import { type ConfigMap, type Nest, nestGroup } from "./webhook-resources.ts";

const configMapKind = { group: "", version: "v1", kind: "ConfigMap" };

/** Whether each creation that was judged was a dry run. */
export const dryRuns: (boolean | undefined)[] = [];
/** Refuses data.forbidden, and the deletion of what is to be kept. */
export const validator = validatingWebhook<ConfigMap>(configMapKind, {
  create(map, context) {
    // Which the controller manager puts into every namespace when it gets to it.
    if (map.metadata.name === "kube-root-ca.crt") return;
    dryRuns.push(context.request.dryRun);
    if (map.data?.old !== undefined) context.warn("data.old is deprecated");
    if (map.data?.broken !== undefined) throw new TypeError("secret detail");
    if (map.data?.forbidden === undefined) return;
    const path = fieldPath("data", "forbidden");
    const error = FieldError.forbidden(path, "may not be set");
    throw invalidError(configMapKind, map.metadata.name ?? "", [error]);
  },
  delete(map) {
    if (map.metadata.labels?.keep !== undefined) {
      throw invalidError(configMapKind, map.metadata.name ?? "", []);
    }
  },
});
/** Marks what it sees. */
export const mutator = mutatingWebhook<ConfigMap>(configMapKind, (map) => ({
  ...map,
  metadata: { ...map.metadata, labels: { ...map.metadata.labels, "rookery.dev/seen": "true" } },
}));
/** Nests: v1 has spec.eggs, v2 has spec.clutch. */
export const converter = conversionWebhook([
  hubConversion({
    group: nestGroup,
    kind: "Nest",
    hub: "v2",
    spokes: { v1: { toHub: renaming("eggs", "clutch"), fromHub: renaming("clutch", "eggs") } },
  }),
]);

function renaming(from: string, to: string) {
  return (object: KubeObject): KubeObject => {
    const value = (object as Nest).spec?.[from];
    if (value === 13) throw new ConversionError(`Nest ${object.metadata.name}`, "13 is bad luck");
    return { ...object, spec: value === undefined ? {} : { [to]: value } };
  };
}
