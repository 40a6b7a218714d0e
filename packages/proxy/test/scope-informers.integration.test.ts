import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  type Child,
  ensureGoProgram,
  type Kubernetes,
  startChild,
  startKubernetes,
  type TestNamespace,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { type ScopedProxy, startScopedProxy, useCrd } from "./scope-world.ts";

interface Line {
  readonly informer: string;
  readonly event: string;
  readonly name?: string;
}

/** By JSON, as metadata, as a Go type, and by Protobuf. */
const informers = ["configmaps", "dynamic", "metadata", "typed"];
const module = fileURLToPath(new URL("./go/informers", import.meta.url));
const skip = await whyUnavailable(() => ensureGoProgram(module));

for (const watchList of [false, true]) {
  const how = watchList ? "with" : "without";
  const group = `${how}.example.org`;
  describe(`client-go's informers of all namespaces behind a scope, ${how} WatchList`, {
    skip,
  }, () => {
    const stack = new AsyncDisposableStack();
    let kubernetes: Kubernetes;
    let inside: string;
    let outside: string;
    let scoped: ScopedProxy;
    let program: Child;

    before(async () => {
      kubernetes = stack.use(await startKubernetes());
      await useCrd(kubernetes, group, stack);
      const create = async () =>
        stack.use<TestNamespace>(await kubernetes.createNamespace("informers"));
      const [one, other, foreign] = await Promise.all([create(), create(), create()]);
      [inside, outside] = [one.name, foreign.name];
      for (const namespace of [inside, outside]) await createBoth(namespace, "before");
      const flags = [`--namespace=${inside}`, `--namespace=${other.name}`];
      scoped = stack.use(await startScopedProxy(kubernetes, flags));
      program = stack.use(
        await startChild({
          name: "informers",
          command: await ensureGoProgram(module),
          args: [`--kubeconfig=${scoped.proxy.kubeconfig}`, `--group=${group}`, "--namespace="],
          log: join(scoped.proxy.folder, "informers.log"),
          env: { ...process.env, KUBE_FEATURE_WatchListClient: `${watchList}` },
        }),
      );
    });
    after(() => stack.disposeAsync());

    const pathsIn = (namespace: string) => [
      `/apis/${group}/v1/namespaces/${namespace}/widgets`,
      `/api/v1/namespaces/${namespace}/configmaps`,
    ];

    /** A widget and a ConfigMap, whose names tell where they are. */
    async function createBoth(namespace: string, name: string): Promise<void> {
      for (const path of pathsIn(namespace)) {
        const body = { metadata: { name: `${namespace}-${name}` } };
        const kind = path.endsWith("widgets") ? { apiVersion: `${group}/v1`, kind: "Widget" } : {};
        await kubernetes.request("POST", path, { body: { ...kind, ...body } });
      }
    }

    async function lines(): Promise<Line[]> {
      program.assertRunning();
      const text = await readFile(program.log, "utf8");
      return text.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    }

    async function told(event: string, name?: string): Promise<void> {
      await waitFor(
        async () => {
          const found = (await lines()).filter(
            (line) => line.event === event && line.name === name,
          );
          return new Set(found.map(({ informer }) => informer)).size === informers.length;
        },
        { what: `${event} of ${name ?? "all"} in ${program.log}`, timeout: 120_000 },
      );
    }

    test("they sync with what is in the scope", async () => {
      await told("synced");
      await told("add", `${inside}-before`);
    });

    test("they hear of what happens in the scope, and of nothing else", async () => {
      for (const namespace of [outside, inside]) await createBoth(namespace, "during");
      await told("add", `${inside}-during`);
      for (const namespace of [outside, inside]) {
        for (const path of pathsIn(namespace)) {
          await kubernetes.request("DELETE", `${path}/${namespace}-during`);
        }
      }
      await told("delete", `${inside}-during`);
      const names = (await lines()).flatMap(({ name }) => name ?? []);
      assert.deepEqual(
        [...new Set(names)].filter(
          (name) => !name.startsWith(inside) && name !== "kube-root-ca.crt",
        ),
        [],
      );
    });
  });
}
