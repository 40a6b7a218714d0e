import { NotYetError } from "./not-yet-error.ts";
import type { Container, EnvVar, KeyedData, KeyReference, Pod } from "./pod.ts";

export interface Invocation {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Surroundings {
  readonly podIP: string;
  /** What the image runs by itself. */
  readonly program: string;
  configMap(namespace: string, name: string): KeyedData | undefined;
  secret(namespace: string, name: string): KeyedData | undefined;
}

/**
 * What a container runs, with which environment: fields of its pod by the downward API, keys of
 * ConfigMaps and Secrets, and `$(NAME)` put in. Without a command it is the image's program.
 * Throws NotYetError where a key is not there.
 */
export function invocationOf(pod: Pod, container: Container, around: Surroundings): Invocation {
  const env: Record<string, string> = {};
  for (const variable of container.env ?? []) {
    env[variable.name] = sourcedValue(pod, variable, around) ?? expand(variable.value ?? "", env);
  }
  const [command, args] = [container.command ?? [around.program], container.args ?? []];
  return { command: [...command, ...args].map((text) => expand(text, env)), env };
}

function sourcedValue(pod: Pod, { valueFrom }: EnvVar, around: Surroundings): string | undefined {
  const { fieldRef, configMapKeyRef, secretKeyRef } = valueFrom ?? {};
  const { namespace } = pod.metadata;
  if (fieldRef) return fieldOf(pod, around.podIP, fieldRef.fieldPath);
  if (configMapKeyRef) {
    return keyOf(around.configMap(namespace, configMapKeyRef.name), configMapKeyRef);
  }
  if (!secretKeyRef) return undefined;
  const value = keyOf(around.secret(namespace, secretKeyRef.name), secretKeyRef);
  return Buffer.from(value, "base64").toString("utf8");
}

function keyOf(object: KeyedData | undefined, { name, key }: KeyReference): string {
  const value = object?.data?.[key];
  if (value !== undefined) return value;
  throw new NotYetError("CreateContainerConfigError", `there is no key ${key} in "${name}" yet`);
}

/** Kubernetes' rule: what is not known stays as it is, and `$$` is a `$`. */
function expand(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$\$|\$\(([A-Za-z_.-][\w.-]*)\)/g, (found, name?: string) =>
    name === undefined ? "$" : (env[name] ?? found),
  );
}

function fieldOf(pod: Pod, podIP: string, path: string): string {
  const { metadata, spec } = pod;
  const fields: Readonly<Record<string, string | undefined>> = {
    "metadata.name": metadata.name,
    "metadata.namespace": metadata.namespace,
    "metadata.uid": metadata.uid,
    "spec.nodeName": spec.nodeName,
    "status.podIP": podIP,
  };
  const key = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (key) return metadata[key[1] as "labels" | "annotations"]?.[key[2] ?? ""] ?? "";
  const field = fields[path];
  if (field !== undefined) return field;
  throw new Error(`could not run pod ${metadata.name}: the process node does not know ${path}`);
}
