import type { ConfigMap, Container, EnvVar, Secret, Service } from "@rookery/api";
import { MissingKeyError } from "../errors.ts";
import { expand } from "./expand.ts";
import type { BoundPod } from "./pod.ts";
import { type PodPlace, podField, resourceField } from "./pod-field.ts";

/** Where variables and volumes take their content from. */
export interface KeyedSources {
  configMap(namespace: string, name: string): ConfigMap | undefined;
  secret(namespace: string, name: string): Secret | undefined;
}

export interface EnvironmentSources extends KeyedSources {
  readonly place: PodPlace;
  /** Of the pod's namespace. */
  readonly services: readonly Service[];
  /** Where pods reach the API server. */
  readonly api: { readonly host: string; readonly port: number };
}

type Variables = Record<string, string>;

/**
 * The variables of a container, as a kubelet puts them together: those of Services, then envFrom,
 * then env. Throws MissingKeyError in a kubelet's words.
 */
export function environmentOf(
  pod: BoundPod,
  container: Container,
  sources: EnvironmentSources,
): Variables {
  const { services, api } = sources;
  const links = pod.spec.enableServiceLinks === false ? {} : serviceVariables(services);
  const known: Variables = { ...links, ...apiVariables(api) };
  const own: Variables = fromWholeObjects(pod, container, sources);
  for (const variable of container.env ?? []) {
    const value = variableValue(pod, variable, { container, sources, known: { ...known, ...own } });
    if (value !== undefined) own[variable.name ?? ""] = value;
  }
  return { ...known, ...own, ...ownProxy(own, sources.place) };
}

/**
 * A proxy in the same pod is reached at the pod's address: all pods of the machine share its loopback
 * interface.
 */
function ownProxy({ KUBERNETES_SERVICE_HOST: host }: Variables, { podIP }: PodPlace): Variables {
  return host === "127.0.0.1" || host === "localhost" ? { KUBERNETES_SERVICE_HOST: podIP } : {};
}

interface ValueContext {
  readonly container: Container;
  readonly sources: EnvironmentSources;
  readonly known: Variables;
}

function variableValue(pod: BoundPod, variable: EnvVar, context: ValueContext): string | undefined {
  const { value = "", valueFrom } = variable;
  const { container, sources, known } = context;
  if (value !== "" || !valueFrom) return expand(value, known);
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  const { place } = sources;
  const { namespace = "" } = pod.metadata;
  if (fieldRef) return podField(pod, fieldRef.fieldPath ?? "", place);
  if (resourceFieldRef) {
    const of = resourceFieldRef.containerName ? {} : { container };
    return resourceField(pod, resourceFieldRef, { ...of, allocatable: place.allocatable });
  }
  if (configMapKeyRef) {
    const { name = "", key = "", optional } = configMapKeyRef;
    const data = sources.configMap(namespace, name);
    if (!data && !optional) throw new MissingKeyError(`configmap "${name}" not found`);
    return keyOf(data?.data?.[key], `key ${key} in ConfigMap ${namespace}/${name}`, optional);
  }
  if (!secretKeyRef) return "";
  const { name = "", key = "", optional } = secretKeyRef;
  const data = sources.secret(namespace, name);
  if (!data && !optional) throw new MissingKeyError(`secret "${name}" not found`);
  const encoded = keyOf(data?.data?.[key], `key ${key} in Secret ${namespace}/${name}`, optional);
  return encoded === undefined ? undefined : decoded(encoded);
}

function keyOf(
  value: string | undefined,
  what: string,
  optional: boolean | undefined,
): string | undefined {
  if (value === undefined && !optional) throw new MissingKeyError(`couldn't find ${what}`);
  return value;
}

function fromWholeObjects(
  { metadata }: BoundPod,
  container: Container,
  sources: EnvironmentSources,
): Variables {
  const { namespace = "" } = metadata;
  const variables: Variables = {};
  for (const { prefix = "", configMapRef, secretRef } of container.envFrom ?? []) {
    const { name = "", optional } = configMapRef ?? secretRef ?? {};
    const object = configMapRef
      ? sources.configMap(namespace, name)
      : sources.secret(namespace, name);
    if (!object && !optional) {
      throw new MissingKeyError(`${configMapRef ? "configmap" : "secret"} "${name}" not found`);
    }
    for (const [key, value] of Object.entries(object?.data ?? {})) {
      variables[`${prefix}${key}`] = configMapRef ? value : decoded(value);
    }
  }
  return variables;
}

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}

function apiVariables({ host, port }: EnvironmentSources["api"]): Variables {
  return {
    KUBERNETES_SERVICE_HOST: host,
    KUBERNETES_SERVICE_PORT: `${port}`,
    KUBERNETES_SERVICE_PORT_HTTPS: `${port}`,
    KUBERNETES_PORT: `tcp://${host}:${port}`,
  };
}

/** NAME_SERVICE_HOST and the like, of every Service with an address. */
function serviceVariables(services: readonly Service[]): Variables {
  const variables: Variables = {};
  for (const { metadata, spec } of services) {
    const { clusterIP = "", ports = [] } = spec ?? {};
    if (clusterIP === "" || clusterIP === "None") continue;
    const prefix = variableName(metadata?.name ?? "");
    variables[`${prefix}_SERVICE_HOST`] = clusterIP;
    variables[`${prefix}_SERVICE_PORT`] = `${ports[0]?.port ?? ""}`;
    const [first] = ports;
    if (first) variables[`${prefix}_PORT`] = portUrl(first, clusterIP);
    for (const port of ports) Object.assign(variables, portVariables(prefix, port, clusterIP));
  }
  return variables;
}

interface Port {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
}

function portVariables(prefix: string, port: Port, address: string): Variables {
  const { protocol = "TCP" } = port;
  const linked = `${prefix}_PORT_${port.port}_${protocol}`;
  return {
    ...(port.name && { [`${prefix}_SERVICE_PORT_${variableName(port.name)}`]: `${port.port}` }),
    [linked]: portUrl(port, address),
    [`${linked}_PROTO`]: protocol.toLowerCase(),
    [`${linked}_PORT`]: `${port.port}`,
    [`${linked}_ADDR`]: address,
  };
}

function portUrl({ protocol = "TCP", port }: Port, address: string): string {
  return `${protocol.toLowerCase()}://${address}:${port}`;
}

function variableName(name: string): string {
  return name.toUpperCase().replaceAll("-", "_");
}
