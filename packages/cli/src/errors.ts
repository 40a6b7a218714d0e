import { defineError } from "@rookery/errors";

/** The arguments of a command are wrong; the message says how, and where help is. */
export class UsageError extends defineError("Usage") {}

/** What is wrong with the division of namespaces among instances. */
interface Faults {
  readonly claims: readonly unknown[];
  readonly gaps: readonly unknown[];
  readonly overlaps: readonly unknown[];
}

/** Not every namespace is watched by one instance of a provider; what was found is printed already. */
export class DivisionError extends defineError(
  "Division",
  ({ claims, gaps, overlaps }: Faults) =>
    `namespaces are not divided as they should be: gaps ${gaps.length}, overlaps ${overlaps.length}, ` +
    `claims in vain ${claims.length}; change spec.watch of the instances that are named, or what keeps ` +
    "one from being installed",
) {}

/**
 * Something that was asked for by its name is not there.
 * `what` says among what it was looked for: "clusters in namespace team"; `hint` what was probably meant.
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

/** Namespaces may not be listed, and the one that was looked at may not be read. */
export class HiddenTenantError extends defineError(
  "HiddenTenant",
  (namespace: string) =>
    `could not get tenants: you may not list namespaces, nor read the namespace ${namespace}, whose label names ` +
    "its tenant; -n names another one, and the right to get one namespace is enough",
) {}

/** A cluster can't be described; the message says why, and what to do. */
export class DescribeError extends defineError(
  "Describe",
  ({ namespace, name }: ClusterPlace, why: string, cause?: unknown) => ({
    message: `could not describe cluster ${namespace}/${name}: ${why}`,
    cause,
  }),
) {}

interface ClusterPlace {
  readonly namespace: string;
  readonly name: string;
}

/** A template can't be used; the message says why, and what to do. */
export class TemplateError extends defineError("Template", (why: string, cause?: unknown) => ({
  message: `could not generate anything: ${why}`,
  cause,
})) {}

/** There is no kubeconfig of a cluster; the message says why, and what to do. */
export class KubeconfigError extends defineError(
  "Kubeconfig",
  ({ namespace, name }: ClusterPlace, why: string, cause?: unknown) => ({
    message: `could not get the kubeconfig of cluster ${namespace}/${name}: ${why}`,
    cause,
  }),
) {}

/** The user's own kubeconfig can't be changed; nothing in it was. */
export class KubeconfigFileError extends defineError(
  "KubeconfigFile",
  (file: string, why: string, cause?: unknown) => ({
    message: `could not change the kubeconfig ${file}: ${why}`,
    cause,
  }),
) {}

/** Not a failure: what was asked for was printed while the arguments were read. */
export class HelpShown extends defineError("HelpShown") {}

/** A data folder that can't be used as it was asked to be. */
export class LocalFolderError extends defineError(
  "LocalFolder",
  (folder: string, why: string, cause?: unknown) => ({
    message: `could not use the folder ${folder}: ${why}`,
    folder,
    cause,
  }),
) {}

/** The embedded Kubernetes did not start, or did not end; the message says the way out. */
export class LocalRunError extends defineError("LocalRun") {}

/** The plane did not come up; the message says the way out. */
export class StartError extends defineError("Start") {}

/**
 * The operator of the cluster is of another version than this command.
 * `isNewer` says whether the operator is the newer one of both.
 */
export class OperatorVersionError extends defineError(
  "OperatorVersion",
  (found: string | undefined, own: string, isNewer: boolean) => {
    const way = isNewer
      ? `use version ${found} of this command`
      : `run "rookery upgrade operator" to bring the operator to ${own}`;
    return (
      `could not go on: the operator in the cluster is ${found ?? "of a version that it does not say"}, ` +
      `and this command is ${own}; ${way}`
    );
  },
) {}

/** Something that a command waits for did not come in time. What was begun goes on without it. */
export class WaitError extends defineError(
  "Wait",
  (what: string, why: string) => `could not wait any longer for ${what}: it is not so ${why}`,
) {}

/** What an admin asked for can't be done to the providers as they are; all problems at once. */
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
