import type { PatchField, PatchSchema } from "./schema.ts";

type Fields = Readonly<Record<string, PatchField>>;

/** Lists are replaced and objects merged, unless the fields say otherwise. */
function schema(fields: Fields): PatchSchema {
  const plain: PatchField = { schema: { field: () => plain } };
  return { field: (name) => (Object.hasOwn(fields, name) ? fields[name] : plain) };
}

const part = (fields: Fields): PatchField => ({ schema: schema(fields) });
const listBy = (mergeKey: string, fields: Fields = {}): PatchField => ({
  strategy: "merge",
  mergeKey,
  schema: schema(fields),
});

const metadata = part({
  finalizers: { strategy: "merge", schema: schema({}) },
  ownerReferences: listBy("uid"),
});

const containers = listBy("name", {
  env: listBy("name"),
  ports: listBy("containerPort"),
  volumeDevices: listBy("devicePath"),
  volumeMounts: listBy("mountPath"),
});

const podSpec = part({
  containers,
  ephemeralContainers: containers,
  hostAliases: listBy("ip"),
  imagePullSecrets: listBy("name"),
  initContainers: containers,
  resourceClaims: listBy("name"),
  schedulingGates: listBy("name"),
  topologySpreadConstraints: listBy("topologyKey"),
  volumes: listBy("name"),
});

const workload = schema({ metadata, spec: part({ template: part({ metadata, spec: podSpec }) }) });

const webhooks = schema({ metadata, webhooks: listBy("name") });

const schemas: Readonly<Record<string, PatchSchema>> = {
  Deployment: workload,
  StatefulSet: workload,
  DaemonSet: workload,
  Job: workload,
  CronJob: schema({ metadata, spec: part({ jobTemplate: { schema: workload } }) }),
  ServiceAccount: schema({
    metadata,
    imagePullSecrets: listBy("name"),
    secrets: listBy("name"),
  }),
  MutatingWebhookConfiguration: webhooks,
  ValidatingWebhookConfiguration: webhooks,
  Service: schema({ metadata, spec: part({ ports: listBy("port") }) }),
  PodDisruptionBudget: schema({
    metadata,
    spec: part({ selector: { strategy: "replace", schema: schema({}) } }),
  }),
};

/**
 * How objects of a kind are patched, and which items of their lists belong together: what Kubernetes'
 * OpenAPI says of the kinds that components are made of. Lists of other kinds are replaced. A field that
 * there is not is left to the server, which refuses it.
 */
export function patchSchemaOf(kind: string): PatchSchema {
  return (Object.hasOwn(schemas, kind) ? schemas[kind] : undefined) ?? schema({ metadata });
}
