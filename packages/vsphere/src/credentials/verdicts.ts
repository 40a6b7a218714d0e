import type { VSphereClusterIdentity } from "@rookery/api";
import {
  type Clock,
  type Finding,
  hasConditionStatus,
  isFalse,
  statementsOf,
  withConditions,
} from "@rookery/kube";

type Status = NonNullable<VSphereClusterIdentity["status"]>;
type Verdict = NonNullable<Status["instances"]>[string];

/** The finding of one instance about an identity; none where the identity is not for its namespaces. */
export interface OwnVerdict {
  /** The namespace in which the instance looks for the Secret. */
  readonly namespace: string;
  readonly finding: Finding | undefined;
}

/**
 * An identity with the verdict of one instance. Each instance writes its own entry alone, and the condition Ready
 * follows from all entries, so that instances never overwrite each other.
 */
export function withVerdict(
  identity: VSphereClusterIdentity,
  { namespace, finding }: OwnVerdict,
  clock: Clock,
): VSphereClusterIdentity {
  const { [namespace]: _, ...others } = identity.status?.instances ?? {};
  const instances = finding ? { ...others, [namespace]: verdictOf(finding) } : others;
  const ready = findingOfAll(identity, instances);
  const changed = withConditions(identity, statementsOf({ Ready: ready }), clock);
  return { ...changed, status: { ...changed.status, instances, ready: ready.status === "True" } };
}

/** The other instances that have a verdict on an identity. */
export function otherInstances({ status }: VSphereClusterIdentity, namespace: string): string[] {
  return Object.keys(status?.instances ?? {}).filter((one) => one !== namespace);
}

/** Whether the instance in a namespace can use the identity; before its first verdict, whether any can. */
export function isReadyFor({ status }: VSphereClusterIdentity, namespace: string): boolean {
  const own = status?.instances?.[namespace];
  return own?.ready ?? hasConditionStatus(status?.conditions, "Ready", "True");
}

/** Ready where some instance can use the identity; else the verdict of the first instance by name. */
function findingOfAll(
  { spec }: VSphereClusterIdentity,
  instances: Readonly<Record<string, Verdict>>,
): Finding {
  const verdicts = Object.keys(instances)
    .sort()
    .flatMap((name) => instances[name] ?? []);
  const found = verdicts.find(({ ready }) => ready) ?? verdicts[0];
  if (found) {
    const { ready, reason, message } = found;
    return { status: ready ? "True" : "False", reason, message };
  }
  const why = spec.allowedNamespaces
    ? "no instance of the provider watches a namespace that spec.allowedNamespaces allows"
    : "spec.allowedNamespaces is not set, and no namespace may use the identity";
  return isFalse("NotServed", why);
}

function verdictOf({ status, reason, message }: Finding): Verdict {
  return { ready: status === "True", reason, message };
}
