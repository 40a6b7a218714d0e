import type { Pod, PodSpec, PriorityClass } from "@rookery/api";
import type { AdmissionPlugin } from "@rookery/apiserver";
import type { Store } from "../store/store.ts";
import { isAbout, type MutatedAttributes, mutating, refusal } from "./mutating.ts";

const resource = "priorityclasses.scheduling.k8s.io";

/** Sets the priority of pods by their class, and allows one default class. */
export function createPriority(store: Store): AdmissionPlugin {
  return {
    name: "Priority",
    operations: ["CREATE", "UPDATE"],
    mutate: mutating<Pod>("pods", (pod, attributes) => {
      pod.spec ??= {};
      if (attributes.operation === "CREATE") setPriority(pod.spec, { store, attributes });
      else keepPriority(pod.spec, (attributes.oldObject as Pod).spec ?? {});
    }),
    validate: (attributes) => {
      const { object, operation } = attributes;
      if (!isAbout(attributes, resource)) return;
      const { globalDefault, metadata } = object as PriorityClass;
      const known = globalDefault ? defaultClass(store) : undefined;
      const name = known?.metadata?.name;
      if (known === undefined || (operation === "UPDATE" && name === metadata?.name)) return;
      const why = `PriorityClass ${name} is already marked as default. Only one default can exist`;
      throw refusal(attributes, why);
    },
  };
}

function keepPriority(spec: PodSpec, old: PodSpec): void {
  if (old.priority !== undefined) spec.priority ??= old.priority;
  if (old.preemptionPolicy !== undefined) spec.preemptionPolicy ??= old.preemptionPolicy;
}

function setPriority(
  spec: PodSpec,
  { store, attributes }: { store: Store; attributes: MutatedAttributes },
): void {
  const { name, value, policy } = classOf(spec, { store, attributes });
  if (name !== "") spec.priorityClassName = name;
  const computed = "must not be provided in pod spec; priority admission controller computed";
  const from = "from the given PriorityClass name";
  if (spec.priority !== undefined && spec.priority !== value) {
    const given = `the integer value of priority (${spec.priority})`;
    throw refusal(attributes, `${given} ${computed} ${value} ${from}`);
  }
  spec.priority = value;
  if (policy === undefined) return;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    const given = `the string value of PreemptionPolicy (${spec.preemptionPolicy})`;
    throw refusal(attributes, `${given} ${computed} ${policy} ${from}`);
  }
  spec.preemptionPolicy = policy;
}

function classOf(
  { priorityClassName: name }: PodSpec,
  { store, attributes }: { store: Store; attributes: MutatedAttributes },
) {
  if (!name) {
    const known = defaultClass(store);
    if (known === undefined) return { name: "", value: 0, policy: "PreemptLowerPriority" };
    return valuesOf(known);
  }
  const entry = store.get({ resource, namespace: "", name });
  if (entry !== undefined) return valuesOf(entry.object as PriorityClass);
  throw refusal(attributes, `no PriorityClass with name ${name} was found`);
}

function valuesOf({ metadata, value = 0, preemptionPolicy }: PriorityClass) {
  return { name: metadata?.name ?? "", value, policy: preemptionPolicy };
}

/** The default class with the lowest value. */
function defaultClass(store: Store): PriorityClass | undefined {
  const classes = store.list(resource).entries.map(({ object }) => object as PriorityClass);
  const defaults = classes.filter(({ globalDefault }) => globalDefault);
  return defaults.toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0))[0];
}
