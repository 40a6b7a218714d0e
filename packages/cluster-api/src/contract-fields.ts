import type { KubeObject } from "@rookery/kube";
import type { Contract } from "./contract-version.ts";

/** An object of a provider, and the contract that it is read by. */
interface ContractObject {
  readonly object: KubeObject;
  readonly contract: Contract;
}

interface Endpoint {
  readonly host: string;
  readonly port: number;
}

interface FailureDomain {
  readonly name: string;
  readonly controlPlane?: boolean;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** The field below status by which a provider says that it is done, in each contract. */
const donePaths = {
  infrastructure: { v1beta2: ["initialization", "provisioned"], v1beta1: ["ready"] },
  controlPlane: {
    v1beta2: ["initialization", "controlPlaneInitialized"],
    v1beta1: ["initialized"],
  },
  bootstrap: { v1beta2: ["initialization", "dataSecretCreated"], v1beta1: ["ready"] },
} as const satisfies Record<string, Record<Contract, readonly string[]>>;

/** Whether the provider says that the object is done. */
export function isDone(
  role: keyof typeof donePaths,
  { object, contract }: ContractObject,
): boolean {
  return fieldOf(object, ["status", ...donePaths[role][contract]]) === true;
}

/** The value at a path; undefined where there is none. */
export function fieldOf(object: KubeObject, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const name of path) {
    if (value === null || typeof value !== "object") return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** The string at a path, unless it is empty. */
export function textField(object: KubeObject, path: readonly string[]): string | undefined {
  const value = fieldOf(object, path);
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function numberField(object: KubeObject, path: readonly string[]): number | undefined {
  const value = fieldOf(object, path);
  return typeof value === "number" ? value : undefined;
}

/** The endpoint of the API server in a provider's spec; undefined until host and port are set. */
export function endpointOf(object: KubeObject): Endpoint | undefined {
  const host = textField(object, ["spec", "controlPlaneEndpoint", "host"]);
  const port = numberField(object, ["spec", "controlPlaneEndpoint", "port"]);
  return host && port ? { host, port } : undefined;
}

/** The failure domains in a provider's status: a list, or a map by name in v1beta1. */
export function failureDomainsOf(object: KubeObject): readonly FailureDomain[] | undefined {
  const value = fieldOf(object, ["status", "failureDomains"]);
  const domains = Array.isArray(value) ? (value as FailureDomain[]) : domainsByName(value);
  if (domains.length === 0) return undefined;
  return domains.map((domain) => ({ ...domain, controlPlane: domain.controlPlane ?? false }));
}

function domainsByName(value: unknown): FailureDomain[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value as Record<string, Omit<FailureDomain, "name">>)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, domain]) => ({ name, ...domain }));
}
