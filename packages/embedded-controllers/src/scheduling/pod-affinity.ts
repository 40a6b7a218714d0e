import type { Pod, PodAffinityTerm } from "@rookery/api";
import { type LabelSelector, labelSelectorAsSelector } from "@rookery/kube";
import type { NodeState } from "./node-state.ts";

/** All that the place of a pod depends on beside its node. */
export interface Surroundings {
  readonly nodes: readonly NodeState[];
  readonly namespaceLabels: (namespace: string) => Readonly<Record<string, string>>;
}

/** The reason why required affinities between pods exclude a node; undefined where they do not. */
export function podAffinityReason(
  pod: Pod,
  state: NodeState,
  around: Surroundings,
): string | undefined {
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  const together = podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const apart = podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  if (!together.every((term) => isSatisfied(term, pod, { state, around }))) {
    return "node(s) didn't match pod affinity rules";
  }
  if (apart.some((term) => neighbours(term, pod, { state, around }).length > 0)) {
    return "node(s) didn't match pod anti-affinity rules";
  }
  const isMinded = around.nodes.some((other) =>
    other.pods.some((existing) => minds(existing, other, { pod, state, around })),
  );
  return isMinded ? "node(s) didn't satisfy existing pods anti-affinity rules" : undefined;
}

interface Place {
  readonly state: NodeState;
  readonly around: Surroundings;
}

/** The first of a group whose pods ask for one another has nobody to join. */
function isSatisfied(term: PodAffinityTerm, pod: Pod, place: Place): boolean {
  if (domainOf(term, place.state) === undefined) return false;
  if (neighbours(term, pod, place).length > 0) return true;
  const { around } = place;
  const isMeant = (other: Pod) => selects(term, { owner: pod, other, around });
  const isAnywhere = around.nodes.some(({ pods }) => pods.some(isMeant));
  return !isAnywhere && isMeant(pod);
}

function neighbours(term: PodAffinityTerm, pod: Pod, { state, around }: Place): readonly Pod[] {
  const domain = domainOf(term, state);
  if (domain === undefined) return [];
  return around.nodes
    .filter((other) => domainOf(term, other) === domain)
    .flatMap(({ pods }) => pods.filter((other) => selects(term, { owner: pod, other, around })));
}

/** Whether a pod that is there asked for such a one not to come near. */
function minds(
  existing: Pod,
  at: NodeState,
  { pod, state, around }: Place & { readonly pod: Pod },
): boolean {
  const { podAntiAffinity } = existing.spec?.affinity ?? {};
  const apart = podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return apart.some((term) => {
    const domain = domainOf(term, at);
    const isSame = domain !== undefined && domain === domainOf(term, state);
    return isSame && selects(term, { owner: existing, other: pod, around });
  });
}

function domainOf({ topologyKey = "" }: PodAffinityTerm, { node }: NodeState): string | undefined {
  return node.metadata?.labels?.[topologyKey];
}

interface Meeting {
  /** Whose term it is. */
  readonly owner: Pod;
  readonly other: Pod;
  readonly around: Surroundings;
}

/** Without any word on namespaces, those of the own one are meant. */
function selects(term: PodAffinityTerm, { owner, other, around }: Meeting): boolean {
  const { namespaces = [], namespaceSelector, labelSelector } = term;
  if (labelSelector === undefined) return false;
  const namespace = other.metadata?.namespace ?? "";
  const isOwn = namespaces.length === 0 && namespaceSelector === undefined;
  const isMeant = isOwn
    ? namespace === owner.metadata?.namespace
    : namespaces.includes(namespace) ||
      (namespaceSelector !== undefined &&
        matches(namespaceSelector, around.namespaceLabels(namespace)));
  return isMeant && matches(labelSelector, other.metadata?.labels ?? {});
}

function matches(
  selector: NonNullable<PodAffinityTerm["labelSelector"]>,
  labels: Readonly<Record<string, string>>,
): boolean {
  return labelSelectorAsSelector(selector as LabelSelector).matches(labels);
}
