import type { VSphereClusterIdentity } from "@rookery/api";
import {
  type Clock,
  type ConditionStatement,
  hasConditionStatus,
  withConditions,
} from "@rookery/kube";

type Status = NonNullable<VSphereClusterIdentity["status"]>;
type Verdict = NonNullable<Status["instances"]>[string];

/** What one instance has found out about an identity; none where the identity is not for its namespaces. */
export interface OwnVerdict {
  /** Where the instance looks for the Secret. */
  readonly namespace: string;
  readonly statement: ConditionStatement | undefined;
}

/**
 * An identity with what one instance says of it. Each instance writes its own entry alone, and what is
 * said of the identity as a whole follows from all entries: so instances never write against each other.
 */
export function withVerdict(
  identity: VSphereClusterIdentity,
  { namespace, statement }: OwnVerdict,
  clock: Clock,
): VSphereClusterIdentity {
  const { [namespace]: _, ...others } = identity.status?.instances ?? {};
  const instances = statement ? { ...others, [namespace]: verdictOf(statement) } : others;
  const whole = wholeOf(identity, instances);
  const changed = withConditions(identity, [whole], clock);
  return { ...changed, status: { ...changed.status, instances, ready: whole.status === "True" } };
}

/** The other instances that have something to say of an identity. */
export function otherInstances({ status }: VSphereClusterIdentity, namespace: string): string[] {
  return Object.keys(status?.instances ?? {}).filter((one) => one !== namespace);
}

/** Whether the instance in a namespace can use the identity; before it said so, whether any can. */
export function isReadyFor({ status }: VSphereClusterIdentity, namespace: string): boolean {
  const own = status?.instances?.[namespace];
  return own?.ready ?? hasConditionStatus(status?.conditions, "Ready", "True");
}

/** Ready where some instance can use it; else what the first of them says, by their names. */
function wholeOf(
  { spec }: VSphereClusterIdentity,
  instances: Readonly<Record<string, Verdict>>,
): ConditionStatement {
  const verdicts = Object.keys(instances)
    .sort()
    .flatMap((name) => instances[name] ?? []);
  const found = verdicts.find(({ ready }) => ready) ?? verdicts[0];
  if (found) {
    const { ready, reason, message } = found;
    return { type: "Ready", status: ready ? "True" : "False", reason, message };
  }
  const why = spec.allowedNamespaces
    ? "no instance of the provider watches a namespace that spec.allowedNamespaces allows"
    : "spec.allowedNamespaces is not set, and no namespace may use the identity";
  return { type: "Ready", status: "False", reason: "NotServed", message: why };
}

function verdictOf({ status, reason, message = "" }: ConditionStatement): Verdict {
  return { ready: status === "True", reason, message };
}
