import { defaultSuffix } from "@rookery/group-suffix";
import { validateDns1123Label, validateDns1123Subdomain } from "@rookery/kube";
import { InstallError } from "../errors.ts";
import { renamedGroup, suffixProblems } from "../group-suffix.ts";
import { conciergeName } from "../names.ts";

export interface InstallOptions {
  /** pinniped.dev by default. */
  readonly apiGroupSuffix?: string;
  /** A namespace for this instance alone. */
  readonly namespace: string;
  readonly image: string;
  /** A Secret in that namespace with tls.crt and tls.key of the cluster's client authority. */
  readonly signingSecret?: string;
  /** 2 by default. */
  readonly replicas?: number;
  /** Creates nothing in other namespaces, as required of provider components. */
  readonly confined?: boolean;
}

/** One instance of the concierge, with the names of its objects. */
export interface Instance
  extends Required<Omit<InstallOptions, "apiGroupSuffix" | "signingSecret">> {
  readonly name: string;
  readonly suffix: string;
  /** Unique in the cluster, because no two instances have the same groups. */
  readonly clusterName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly signingSecret: string | undefined;
  /** The name of a default group in this instance. */
  group(group: string): string;
}

/** Errors: InstallError. */
export function createInstance(options: InstallOptions): Instance {
  const { namespace, image, signingSecret } = options;
  const suffix = options.apiGroupSuffix || defaultSuffix;
  const problems = problemsOf(options, suffix);
  if (problems.length > 0) throw new InstallError(problems);
  return {
    name: conciergeName,
    namespace,
    suffix,
    clusterName: `${conciergeName}.${suffix}`,
    labels: {
      "app.kubernetes.io/name": conciergeName,
      "app.kubernetes.io/instance": namespace,
    },
    image,
    signingSecret,
    replicas: options.replicas ?? 2,
    confined: options.confined ?? false,
    group: (group) => renamedGroup(group, suffix),
  };
}

function problemsOf(options: InstallOptions, suffix: string): string[] {
  const { namespace, image, signingSecret } = options;
  return [
    ...suffixProblems(suffix),
    ...validateDns1123Label(namespace).map((why) => `--namespace "${namespace}": ${why}`),
    ...(signingSecret === undefined
      ? []
      : validateDns1123Subdomain(signingSecret).map((why) => `--signing-secret: ${why}`)),
    ...(image === "" ? ["--image is empty"] : []),
    ...(["default", "kube-system", "kube-public", "kube-node-lease"].includes(namespace)
      ? [`--namespace "${namespace}" is shared with others: each instance has one of its own`]
      : []),
  ];
}
