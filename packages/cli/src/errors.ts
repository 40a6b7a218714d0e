import { defineError } from "@rookery/errors";
import type { NamespacedKey } from "./objects.ts";

/** Wrong arguments of a command. */
export class UsageError extends defineError("Usage") {}

/** The faults in the division of namespaces among instances. */
interface Faults {
  readonly claims: readonly unknown[];
  readonly gaps: readonly unknown[];
  readonly overlaps: readonly unknown[];
}

/** Not every namespace is watched by exactly one instance of a provider; the report is printed before. */
export class DivisionError extends defineError(
  "Division",
  ({ claims, gaps, overlaps }: Faults) =>
    `namespaces are not divided as they should be: gaps ${gaps.length}, overlaps ${overlaps.length}, ` +
    `claims in vain ${claims.length}; change spec.watch of the instances that are named, or what keeps ` +
    "one from being installed",
) {}

/**
 * Objects that were named on the command line and do not exist. `what` is the list that was searched:
 * "clusters in namespace team"; `hint` names similar objects.
 */
export class MissingObjectError extends defineError(
  "MissingObject",
  (missing: readonly string[], what: string, hint = "") => {
    const names = missing.map((one) => `"${one}"`).join(", ");
    return {
      message: `could not find ${names} among the ${what}${hint}`,
      missing,
    };
  },
) {}

/** The user may not list namespaces, nor read the one of the context. */
export class HiddenTenantError extends defineError(
  "HiddenTenant",
  (namespace: string) =>
    `could not get tenants: you may not list namespaces, nor read the namespace ${namespace}, whose label names ` +
    "its tenant; -n names another one, and the right to get one namespace is enough",
) {}

/** Describes an error of one cluster. */
const ofCluster =
  (verb: string) =>
  ({ namespace, name }: NamespacedKey, why: string, cause?: unknown) => ({
    message: `could not ${verb} ${namespace}/${name}: ${why}`,
    cause,
  });

/** A cluster that can't be described. */
export class DescribeError extends defineError("Describe", ofCluster("describe cluster")) {}

/** A cluster without a usable kubeconfig. */
export class KubeconfigError extends defineError(
  "Kubeconfig",
  ofCluster("get the kubeconfig of cluster"),
) {}

/** A template that can't be used. */
export class TemplateError extends defineError("Template", (why: string, cause?: unknown) => ({
  message: `could not generate anything: ${why}`,
  cause,
})) {}

/** Describes an error of a file or a folder. */
const ofPath = (verb: string) => (path: string, why: string, cause?: unknown) => ({
  message: `could not ${verb} ${path}: ${why}`,
  cause,
});

/** The user's own kubeconfig can't be changed; it is unchanged. */
export class KubeconfigFileError extends defineError(
  "KubeconfigFile",
  ofPath("change the kubeconfig"),
) {}

/** A data folder that can't be used. */
export class LocalFolderError extends defineError("LocalFolder", ofPath("use the folder")) {}

/** Help was printed while the arguments were parsed: no failure. */
export class HelpShown extends defineError("HelpShown") {}

/** The embedded Kubernetes did not start, or did not end. */
export class LocalRunError extends defineError("LocalRun") {}

/** The plane did not start. */
export class StartError extends defineError("Start") {}

/** The operator of the cluster has another version than this command; `isNewer` for a newer one. */
export class OperatorVersionError extends defineError(
  "OperatorVersion",
  (found: string | undefined, own: string, isNewer: boolean) => {
    const way = isNewer
      ? `use version ${found} of this command`
      : `run "rookery upgrade operator" to bring the operator to ${own}`;
    return (
      `could not continue: the operator in the cluster is ${found ?? "of an unknown version"}, ` +
      `and this command is ${own}; ${way}`
    );
  },
) {}

/** A command reached its time limit while it waited. The operator continues without it. */
export class WaitError extends defineError(
  "Wait",
  (what: string, why: string) => `could not wait any longer for ${what}: it is not so ${why}`,
) {}

/** All problems that prevent a change of providers. */
export class ProvidersError extends defineError(
  "Providers",
  (verb: string, problems: readonly string[]) => ({
    message:
      problems.length === 1
        ? `could not ${verb}: ${problems[0]}`
        : `could not ${verb}:${problems.map((problem) => `\n- ${problem}`).join("")}`,
    problems,
  }),
) {}
