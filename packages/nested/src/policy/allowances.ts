import { type Flag, FlagValueError, listFlag } from "@rookery/runtime";

/** What the administrator of the manager lets components say, by its flags. */
export interface Allowances {
  /** Repositories, with or without a tag or digest; a trailing "*" stands for all below. */
  readonly images: readonly string[];
  /** Flags of a program, as "kube-apiserver:event-ttl"; "*" stands for all of its flags. */
  readonly extraArgs: readonly string[];
  /** Fields that patches may set, as "Deployment:spec.template.spec.priorityClassName". */
  readonly patches: readonly string[];
  /** Names and addresses of API servers: "*.example.com" for all below, "*" for any. */
  readonly hosts: readonly string[];
  /** Keys of annotations; a trailing "*" stands for all that begin so. */
  readonly serviceAnnotations: readonly string[];
}

export const noAllowances: Allowances = {
  images: [],
  extraArgs: [],
  patches: [],
  hosts: [],
  serviceAnnotations: [],
};

/** The flags by which an administrator allows what is closed by default. Each may be repeated. */
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

/** Whether a text is one of the patterns, in which a trailing "*" stands for any rest. */
export function matchesAny(text: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith("*") ? text.startsWith(pattern.slice(0, -1)) : text === pattern,
  );
}
