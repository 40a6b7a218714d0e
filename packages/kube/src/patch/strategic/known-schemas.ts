import { PatchError } from "../../errors.ts";

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
 * How kube-apiserver patches the kinds of components, from Kubernetes' OpenAPI. Lists of other
 * kinds are replaced. Unknown fields are left to the server, which rejects them.
 */
export function patchSchemaOf(kind: string): PatchSchema {
  return (Object.hasOwn(schemas, kind) ? schemas[kind] : undefined) ?? schema({ metadata });
}

/**
 * How the fields of an object are patched, by `x-kubernetes-patch-strategy` and
 * `x-kubernetes-patch-merge-key` of Kubernetes' OpenAPI.
 */
export interface PatchSchema {
  /** Undefined for an unknown field, which no patch may set. */
  field(name: string): PatchField | undefined;
}

export interface PatchField {
  /** "retainKeys" needs no entry: the directive in the patch decides. */
  readonly strategy?: "merge" | "replace";
  /** The key that identifies list items. */
  readonly mergeKey?: string;
  /** Of the object itself, or of the list items. */
  readonly schema: PatchSchema;
}

/** Throws a PatchError in kube-apiserver's words for an unknown field. */
export function lookUp(schema: PatchSchema, name: string): PatchField {
  const field = schema.field(name);
  if (field !== undefined) return field;
  throw new PatchError(`unable to find api field "${name}"`, 500);
}
