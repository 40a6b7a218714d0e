import type { GroupMapping } from "@rookery/group-suffix";
import { validateDns1123Label } from "@rookery/kube";
import { allNamespaces } from "@rookery/runtime";
import type { Callback } from "./callbacks.ts";
import { AlreadyInjectedError, InvalidInstanceError, UnsafeManifestError } from "./errors.ts";
import { isCrd, isKind, isRbac } from "./kinds.ts";
import { describe, groupOf, instanceLabel, type Manifest, nameOf } from "./manifest.ts";
import type { InjectOptions } from "./plan.ts";
import { containersOf, podSpecOf } from "./pods.ts";
import { sidecarName } from "./sidecar-container.ts";
import { valuesAt } from "./update-at.ts";

/** Errors: InvalidInstanceError with all problems. */
export function refuseInstance(options: InjectOptions): void {
  const { instance, namespace, mapping, scope = allNamespaces } = options;
  const renames = mapping !== undefined && mapping.pairs.length > 0;
  const label = (what: string, name: string) =>
    validateDns1123Label(name).map((problem) => `${what} ${JSON.stringify(name)}: ${problem}`);
  const problems = [
    ...(instance === undefined ? [] : label("name", instance)),
    ...(renames && instance === undefined ? ["it has no name; say one with --name"] : []),
    ...(namespace === undefined ? [] : label("namespace", namespace)),
    // An empty list of namespaces as flags would mean all.
    ...(scope.type !== "all" && scope.namespaces.length === 0
      ? ["its scope names no namespace; run it without pods until it has one"]
      : []),
    ...(!renames && scope.type === "all" ? ["no API group is mapped; say which with --map"] : []),
  ];
  if (problems.length > 0) throw new InvalidInstanceError(problems);
}

/** Errors: AlreadyInjectedError for documents of an instance. */
export function refuseInjected(manifest: Manifest, mapping?: GroupMapping): void {
  const label = manifest.metadata.labels?.[instanceLabel];
  const real = groupsOf(manifest).find((group) => mapping?.isReal(group));
  const spec = podSpecOf(manifest);
  const why = label
    ? `it is of instance ${label} already`
    : spec && containersOf(spec).some(({ name }) => name === sidecarName)
      ? `it has a container ${sidecarName} already`
      : real && `it names the real group ${real} already`;
  if (why) throw new AlreadyInjectedError(manifest, why);
}

function groupsOf(manifest: Manifest): string[] {
  const isApi = isCrd(manifest) || isKind(manifest, "apiregistration.k8s.io", "APIService");
  const paths = [
    ...(isApi ? ["spec.group"] : []),
    ...(isRbac(manifest, "Role", "ClusterRole") ? ["rules[].apiGroups[]"] : []),
    "webhooks[].rules[].apiGroups[]",
  ];
  const named = paths.flatMap((path) => valuesAt(manifest, path)).map((group) => `${group}`);
  return [groupOf(manifest), ...named];
}

/** Errors: UnsafeManifestError if two instances would serve one API. */
export function refuseShared(manifest: Manifest, mapping: GroupMapping): void {
  const [group] = valuesAt(manifest, "spec.group");
  const isApiService = isKind(manifest, "apiregistration.k8s.io", "APIService");
  const converts = isCrd(manifest) && valuesAt(manifest, "spec.conversion.webhook").length > 0;
  const local = valuesAt(manifest, "spec.service.name").length === 0 && isApiService;
  if ((!isApiService && !converts) || local || mapping.toReal(`${group}`) !== undefined) return;
  const why = `no mapping has its group ${group}, and only one instance can serve it`;
  throw new UnsafeManifestError(manifest, `${why}; map the group, or leave it out`);
}

/** Errors: UnsafeManifestError. */
export function refuseTooLong(manifest: Manifest, instance = "these"): void {
  if (nameOf(manifest).length <= 253) return;
  const why = `its name ${nameOf(manifest)} would be longer than 253 characters`;
  throw new UnsafeManifestError(manifest, `${why}; take shorter names than ${instance}`);
}

/** The callback of a workload. Errors: UnsafeManifestError for more than one. */
export function onlyCallback(callbacks: readonly Callback[]): Callback | undefined {
  const [first, ...others] = callbacks;
  const other = others.find(
    ({ appPort, secret }) => appPort !== first?.appPort || secret !== first.secret,
  );
  if (!first || !other) return first;
  const says = ({ appPort, secret }: Callback) => `port ${appPort} with Secret ${secret}`;
  const why = `${describe(other.caller)} calls ${says(other)} and ${describe(first.caller)} ${says(first)}`;
  const out = "let the app serve all its webhooks at one port by one certificate";
  throw new UnsafeManifestError(first.workload, `${why}; ${out}`);
}
