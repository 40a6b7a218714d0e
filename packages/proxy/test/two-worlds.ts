import { type Kubernetes, startKubernetes } from "@rookery/testing";
import { type KubectlOptions, type RunningProxy, startProxy } from "./start-proxy.ts";
import { mapping } from "./widgets.ts";

/** The same app in two clusters: once as it is, once through the proxy under another group. */
export interface TwoWorlds extends AsyncDisposable {
  readonly direct: RunningProxy;
  readonly renamed: RunningProxy;
  /** The cluster behind the proxy that renames. */
  readonly cluster: Kubernetes;
  /** What kubectl prints and says in both, without what differs from cluster to cluster. */
  kubectl(args: readonly string[], options?: KubectlOptions): Promise<Both>;
}

export interface Both {
  readonly direct: string;
  readonly renamed: string;
}

/** Both are reached by a proxy, so that nothing differs but the renaming. */
export async function startTwoWorlds(args: readonly string[] = [mapping]): Promise<TwoWorlds> {
  await using stack = new AsyncDisposableStack();
  const [plain, cluster] = await Promise.all([
    startKubernetes({ private: true }),
    startKubernetes({ private: true }),
  ]);
  stack.use(plain);
  stack.use(cluster);
  const start = async ({ kubeconfig, description }: Kubernetes, ...more: readonly string[]) =>
    stack.use(await startProxy(description.kubectl, [`--upstream=${kubeconfig}`, ...more]));
  const direct = await start(plain);
  const renamed = await start(cluster, ...args);
  const owned = stack.move();
  return {
    direct,
    renamed,
    cluster,
    async kubectl(words, options) {
      const run = async (proxy: RunningProxy) => {
        const { failed, output } = await proxy.tryKubectl(words, options);
        return `${failed ? "failed: " : ""}${normalize(output, proxy)}`;
      };
      const [one, other] = await Promise.all([run(direct), run(renamed)]);
      return { direct: one, renamed: other };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const differing: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "<time>"],
  [/((?:resourceVersion|Resource Version|continue)"?:\s*"?)[\w-]+/g, "$1<version>"],
  [/\b\d+(?:ms|s|m|h)(?:\d+s)?\b/g, "<age>"],
  [/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, "<time>"],
  [/eyJ2IjoibWV0YS5rOHMuaW8vdjEi\w+/g, "<continue>"],
  [/(too old resource version: \d+) \(\d+\)/g, "$1 (<version>)"],
  // Its name is made from the template, which says the second of a restart.
  [/(ReplicaSet "[\w.-]+-)[a-z0-9]{6,10}"/g, '$1<hash>"'],
  [/("storageVersionHash": ?")[^"]+/g, "$1<hash>"],
  [/ {2,}/g, "  "],
  [/^[-+]{3} .*$/gm, "<file>"],
  [/^diff -u.*$/gm, "<diff>"],
  [/[A-Z]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+/g, "<log>"],
];

/** Text without identities, times and addresses. */
export function normalize(text: string, { appUrl, folder }: RunningProxy): string {
  const local = text.replaceAll(appUrl, "<server>").replaceAll(folder, "<folder>");
  return differing.reduce((result, [from, to]) => result.replace(from, to), local);
}
