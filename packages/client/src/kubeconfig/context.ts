import { validateDns1123Label } from "@rookery/kube";
import { ConfigError } from "../errors.ts";
import type { ClientConfig } from "./client-config.ts";
import { clusterConfig } from "./cluster.ts";
import type { Fields } from "./fields.ts";
import type { Kubeconfig } from "./kubeconfig-file.ts";
import { userConfig } from "./user.ts";

export interface ContextOptions {
  /** The context to use instead of current-context. */
  readonly context: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/** One context of a kubeconfig: its cluster, its user and its namespace. */
export async function contextConfig(
  kubeconfig: Kubeconfig,
  options: ContextOptions,
): Promise<ClientConfig> {
  const [context, fields] = contextOf(kubeconfig, options.context);
  const cluster = referenceOf(fields, "cluster", kubeconfig.clusters).at({ context });
  const user = referenceOf(fields, "user", kubeconfig.users).at({ context });
  const namespace = fields.string("namespace") ?? "default";
  if (validateDns1123Label(namespace).length > 0) {
    throw fields.fail("namespace", `${JSON.stringify(namespace)} is not a name of a namespace`);
  }
  return {
    ...(await clusterConfig(cluster, options.env)),
    namespace,
    user: await userConfig(user),
    place: { ...cluster.place, ...user.place },
  };
}

function contextOf(kubeconfig: Kubeconfig, wanted: string | undefined): [string, Fields] {
  const name = wanted ?? kubeconfig.currentContext;
  const file = kubeconfig.files.join(", ");
  const known = `it has ${listOf([...kubeconfig.contexts.keys()])}`;
  if (name === undefined) {
    const wayOut = "name one, or choose it with `kubectl config use-context`";
    throw new ConfigError(`${wayOut}; ${known}`, { file, field: "current-context" });
  }
  const fields = kubeconfig.contexts.get(name);
  if (fields) return [name, fields];
  throw new ConfigError(`there is no such context; ${known}`, { file, context: name });
}

function referenceOf(
  context: Fields,
  noun: "cluster" | "user",
  entries: ReadonlyMap<string, Fields>,
): Fields {
  const name = context.string(noun);
  if (name === undefined) throw context.fail(noun, "it is missing");
  const entry = entries.get(name);
  if (entry) return entry;
  const known = `the kubeconfig has ${listOf([...entries.keys()])}`;
  throw context.fail(noun, `there is no ${noun} ${JSON.stringify(name)}; ${known}`);
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.map((name) => JSON.stringify(name)).join(", ");
}
