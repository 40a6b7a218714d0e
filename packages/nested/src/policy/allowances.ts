import type { NestedAPIServer } from "@rookery/api";
import { type Flag, FlagValueError, listFlag } from "@rookery/runtime";
import type { ComponentObject } from "../component-object.ts";

/** Fields of specs that the administrator allows by flags. */
export interface Allowances {
  /** Repositories, with or without a tag or digest; a trailing "*" matches all below. */
  readonly images: readonly string[];
  /** Flags of a program, as "kube-apiserver:event-ttl"; "*" matches all flags of the program. */
  readonly extraArgs: readonly string[];
  /** Fields that patches may set, as "Deployment:spec.template.spec.priorityClassName". */
  readonly patches: readonly string[];
  /** Hosts of API servers: "*.example.com" matches all below, "*" any. */
  readonly hosts: readonly string[];
  /** Keys of annotations, with an optional trailing "*". */
  readonly serviceAnnotations: readonly string[];
}

export const noAllowances: Allowances = {
  images: [],
  extraArgs: [],
  patches: [],
  hosts: [],
  serviceAnnotations: [],
};

/** The flags for fields that are closed by default. Each may be repeated. */
export const allowanceFlags = {
  "allowed-images": listFlag({
    help:
      "Images that spec.image of components may name, as registry.example.com/etcd (any tag), registry.example.com/etcd:3.6.8 " +
      "or registry.example.com/kubernetes/*. None by default.",
  }),
  "allowed-extra-args": shaped(
    "Flags that spec.extraArgs of components may set, as kube-apiserver:audit-log-path or etcd:*, beside those that are harmless. " +
      "Programs are etcd, kube-apiserver, kube-controller-manager and rookery.",
    {
      pattern: /^(etcd|kube-apiserver|kube-controller-manager|rookery):(\*|[a-z0-9][a-z0-9-]*)$/,
      form: "program:flag, such as kube-apiserver:audit-log-path",
    },
  ),
  "allowed-patches": shaped(
    "Fields that spec.patches of components may set, as Deployment:spec.template.spec.priorityClassName, beside those that are harmless. " +
      "Pods pass the Pod Security Standard restricted in any case.",
    {
      pattern:
        /^(Deployment|StatefulSet|Service|PersistentVolumeClaim|PodDisruptionBudget):[^:\s]+/,
      form: "kind:path, such as Deployment:spec.template.spec.priorityClassName",
    },
  ),
  "allowed-hosts": listFlag({
    help:
      "Names and addresses that spec.service.host of API servers may be, as *.tenants.example.com: the manager and Cluster API connect there. " +
      "None by default.",
  }),
  "allowed-service-annotations": listFlag({
    help:
      "Annotations that spec.service.annotations of API servers may set, as service.beta.kubernetes.io/aws-load-balancer-internal. " +
      "None by default.",
  }),
} as const;

interface Shape {
  readonly pattern: RegExp;
  readonly form: string;
}

function shaped(help: string, { pattern, form }: Shape): Flag<readonly string[]> {
  const list = listFlag({ help });
  return {
    ...list,
    parse: (values) => {
      const read = list.parse(values);
      const wrong = read.find((value) => !pattern.test(value));
      if (wrong !== undefined) throw new FlagValueError(wrong, `it must be written as ${form}`);
      return read;
    },
  };
}

/** Whether a text matches a pattern with an optional trailing "*". */
export function matchesAny(text: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith("*") ? text.startsWith(pattern.slice(0, -1)) : text === pattern,
  );
}

/** Whether a host matches a pattern: itself, a wildcard, or any. */
export function isAllowedHost(host: string, patterns: readonly string[]): boolean {
  const name = host.toLowerCase();
  return patterns.some((pattern) => {
    const wanted = pattern.toLowerCase();
    if (wanted === "*" || wanted === name) return true;
    return wanted.startsWith("*.") && name.endsWith(wanted.slice(1));
  });
}

const part = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?(?::[0-9]{1,5})?$/;

/** The name of an image without tag and digest. */
export function repositoryOf(image: string): string {
  const [name = ""] = image.split("@");
  const colon = name.lastIndexOf(":");
  return colon > name.lastIndexOf("/") ? name.slice(0, colon) : name;
}

/** Whether an image matches a pattern: a repository, an exact image, or "example.com/below/*". */
export function isAllowedImage(image: string, patterns: readonly string[]): boolean {
  const repository = repositoryOf(image);
  if (!repository.split("/").every((one) => part.test(one))) return false;
  return patterns.some((pattern) => {
    if (pattern === image || pattern === repository) return true;
    return pattern.endsWith("/*") && repository.startsWith(pattern.slice(0, -1));
  });
}

/** The program of a component. */
type Program = "etcd" | "kube-apiserver" | "kube-controller-manager" | "rookery";

/** Flags that affect only the tenant: they name no files, hosts or plugins. */
const harmless: Readonly<Record<Program, readonly string[]>> = {
  etcd: [
    "auto-compaction-mode",
    "auto-compaction-retention",
    "election-timeout",
    "heartbeat-interval",
    "snapshot-count",
  ],
  "kube-apiserver": [
    "default-not-ready-toleration-seconds",
    "default-unreachable-toleration-seconds",
    "endpoint-reconciler-type",
    "event-ttl",
    "goaway-chance",
    "max-mutating-requests-inflight",
    "max-requests-inflight",
    "min-request-timeout",
    "request-timeout",
    "runtime-config",
  ],
  "kube-controller-manager": [
    "node-monitor-grace-period",
    "node-monitor-period",
    "terminated-pod-gc-threshold",
  ],
  rookery: [],
};

export function programOf({ kind, spec }: Pick<ComponentObject, "kind" | "spec">): Program {
  switch (kind) {
    case "NestedEtcd":
      return "etcd";
    case "NestedControllerManager":
      return "kube-controller-manager";
    case "NestedAPIServer":
      return (spec as NestedAPIServer["spec"]).profile === "light" ? "rookery" : "kube-apiserver";
  }
}

export function isAllowedArgument(
  program: Program,
  name: string,
  allowed: readonly string[],
): boolean {
  if (harmless[program].includes(name)) return true;
  return allowed.includes(`${program}:${name}`) || allowed.includes(`${program}:*`);
}
