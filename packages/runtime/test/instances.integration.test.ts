import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Client, ResourceClient } from "@rookery/client";
import {
  createTemporaryFolder,
  type Kubernetes,
  startKubernetes,
  type TemporaryFolder,
  waitFor,
} from "@rookery/testing";
import { adminClient, type Nest, nest, nests, nestsCrd } from "./nests.ts";
import { type ProviderProcess, startProvider } from "./provider-process.ts";

const watched = ["watch1", "watch2", "watch3"];
const systems = ["capi1-system", "capi2-system"];

/** The test plan of "Multiple Instances of The Same Provider", with processes of their own. */
describe("two instances of a provider, each in its own process", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let resource: ResourceClient<Nest>;
  let folder: TemporaryFolder;
  before(async () => {
    kubernetes = await startKubernetes({ controllerManager: false, audit: "Metadata" });
    await kubernetes.applyCrd(nestsCrd);
    client = await adminClient(kubernetes);
    resource = client.resource(nests);
    folder = await createTemporaryFolder("instances");
    for (const name of [...systems, ...watched]) await createNamespace(name);
    await deploy();
  });
  after(async () => {
    await folder?.[Symbol.asyncDispose]();
    await client?.destroy();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const createNamespace = (name: string) => kubernetes.kubectl(["create", "namespace", name]);

  /** Each has a service account of its own; all share one cluster role. */
  async function deploy(): Promise<void> {
    const resources = `--resource=nests.${nests.group}`;
    const role = ["create", "clusterrole", "capi-aggregated-manager-role", resources];
    await kubernetes.kubectl([...role, "--verb=get,list,watch"]);
    for (const system of systems) {
      await kubernetes.kubectl(["create", "serviceaccount", "capi-manager", `-n=${system}`]);
    }
    await kubernetes.kubectl([
      ...["create", "clusterrolebinding", "capi-manager-rolebinding"],
      "--clusterrole=capi-aggregated-manager-role",
      ...systems.map((system) => `--serviceaccount=${system}:capi-manager`),
    ]);
  }

  /** A kubeconfig of the instance's service account. */
  async function kubeconfigOf(system: string): Promise<string> {
    const token = await kubernetes.kubectl(["create", "token", "capi-manager", `-n=${system}`]);
    const ca = Buffer.from(kubernetes.ca).toString("base64");
    const cluster = { server: kubernetes.server, "certificate-authority-data": ca };
    const path = join(folder.path, `${system}.kubeconfig`);
    const config = {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "c", cluster }],
      users: [{ name: "u", user: { token: token.trim() } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace: system } }],
      "current-context": "x",
    };
    await writeFile(path, JSON.stringify(config), { mode: 0o600 });
    return path;
  }

  async function start(system: string, args: readonly string[]): Promise<Instance> {
    const userAgent = `${system}/${randomUUID()}`;
    const process = await startProvider({
      program: "scope-instance.ts",
      kubernetes: { kubeconfig: await kubeconfigOf(system) },
      ownNamespace: system,
      args,
      env: { USER_AGENT: userAgent },
      folder: folder.path,
    });
    const instance = new Instance(system, userAgent, process);
    await instance.prints("ready");
    return instance;
  }

  /** Creates, changes and deletes an object in each of the namespaces. */
  async function live(name: string, ...where: readonly string[]): Promise<void> {
    for (const namespace of where) {
      await resource.create(nest({ namespace, name }));
      await resource.patch({ namespace, name }, { type: "merge", patch: { spec: { eggs: 3 } } });
      await resource.delete({ namespace, name });
    }
  }

  const lifeOf = (key: string) => [`create ${key}`, `update ${key}`, `delete ${key}`];

  /** What the API server wrote down of an instance: who it was and what it watched. */
  async function watchesOf({ system, userAgent }: Instance): Promise<string[]> {
    const log = await readFile(join(kubernetes.logs, "audit.log"), "utf8");
    const own = log
      .split("\n")
      // The server may be in the middle of the last line.
      .slice(0, -1)
      .filter((line) => line.includes(userAgent))
      .map((line) => JSON.parse(line))
      .filter(({ objectRef }) => objectRef?.resource === "nests");
    const watches = own.map(({ user, requestURI }) => {
      assert.equal(user.username, `system:serviceaccount:${system}:capi-manager`);
      const { pathname, searchParams } = new URL(requestURI, kubernetes.server);
      return `${pathname} ${searchParams.get("fieldSelector") ?? ""}`.trim();
    });
    return [...new Set(watches)].toSorted();
  }

  const base = `/apis/${nests.group}/${nests.version}`;

  test("watch all namespaces without a flag, those made later included", async () => {
    await using one = await start("capi1-system", []);
    await using two = await start("capi2-system", []);
    await createNamespace("watch4");
    await live("all", ...watched, "watch4");
    for (const instance of [one, two]) {
      await instance.prints("heard delete watch4/all");
      const lives = [...watched, "watch4"].flatMap((namespace) => lifeOf(`${namespace}/all`));
      assert.deepEqual(await instance.heard(), lives);
      assert.deepEqual(await watchesOf(instance), [`${base}/nests`]);
      assert.ok((await instance.stopAndCount("watch3")) > 0);
    }
  });

  const selections = {
    "--namespace watch1 and --namespace watch2": ["--namespace", "watch1", "--namespace", "watch2"],
    "--namespace=watch1,watch2": ["--namespace=watch1,watch2"],
    "--excluded-namespace watch3": ["--excluded-namespace", "watch3"],
  };
  for (const [flags, args] of Object.entries(selections)) {
    test(`accept events of watch1 and watch2 alone with ${flags}, and none of watch3 arrives`, async () => {
      await resource.create(nest({ namespace: "watch3", generateName: "there-before-" }));
      await using one = await start("capi1-system", args);
      await using two = await start("capi2-system", args);
      await live("selected", "watch3", "watch1", "watch3", "watch2", "watch3");
      for (const instance of [one, two]) {
        for (const namespace of ["watch1", "watch2"]) {
          await instance.prints(`heard delete ${namespace}/selected`);
          const heard = (await instance.heard()).filter((event) => event.includes(namespace));
          assert.deepEqual(heard, lifeOf(`${namespace}/selected`));
        }
        assert.equal((await instance.heard()).length, 6);
        const expected = flags.startsWith("--excluded")
          ? [`${base}/nests metadata.namespace!=watch3`]
          : [`${base}/namespaces/watch1/nests`, `${base}/namespaces/watch2/nests`];
        assert.deepEqual(await watchesOf(instance), expected);
        assert.equal(await instance.stopAndCount("watch3"), 0);
        assert.ok((await instance.countOf("watch1")) > 0);
      }
    });
  }

  test("watch a namespace that is made later, or leave it out, as its name was given", async () => {
    await using one = await start("capi1-system", ["--excluded-namespace=later"]);
    await using two = await start("capi2-system", ["--namespace=later"]);
    await createNamespace("later");
    await live("late", "later", "watch1");
    await one.prints("heard delete watch1/late");
    await two.prints("heard delete later/late");
    assert.deepEqual(await two.heard(), lifeOf("later/late"));
    assert.ok(!(await one.heard()).some((event) => event.includes(" later/")));
  });

  const mistakes: Record<string, [string[], RegExp]> = {
    "both flags at once": [
      ["--namespace=watch1", "--excluded-namespace=watch3"],
      /could not read the command line:\n.*--namespace and --excluded-namespace: they exclude each other/,
    ],
    "a name that no namespace can have": [
      ["--namespace=Watch_1"],
      /could not read the command line:\n.*--namespace="Watch_1": it is no name of a namespace/,
    ],
    "an empty value": [
      ["--excluded-namespace="],
      /could not read the command line:\n.*--excluded-namespace="": it names no namespace; to leave none out, leave the flag out/,
    ],
  };
  for (const [what, [args, message]] of Object.entries(mistakes)) {
    test(`refuse to start with ${what}, and say why`, async () => {
      await using process = await startProvider({
        program: "scope-instance.ts",
        kubernetes,
        ownNamespace: "capi1-system",
        args,
        folder: folder.path,
      });
      await process.whenEnded();
      assert.equal(process.ending, "exit code 1");
      assert.match(await process.printed(), message);
    });
  }
});

class Instance implements AsyncDisposable {
  readonly system: string;
  /** By which the audit log tells it from its namesakes. */
  readonly userAgent: string;
  readonly #process: ProviderProcess;

  constructor(system: string, userAgent: string, process: ProviderProcess) {
    this.system = system;
    this.userAgent = userAgent;
    this.#process = process;
  }

  async prints(line: string): Promise<void> {
    await waitFor(
      async () => {
        this.#process.assertRunning();
        return (await this.#lines()).includes(line);
      },
      { what: `${this.system} to print: ${line}` },
    );
  }

  /** "create watch1/a" of all that it heard, in order. */
  async heard(): Promise<string[]> {
    const lines = await this.#lines();
    return lines.filter((line) => line.startsWith("heard ")).map((line) => line.slice(6));
  }

  /** Ends it; returns how many objects of a namespace came over its wire, wanted or not. */
  async stopAndCount(namespace: string): Promise<number> {
    await this.#process.stop();
    assert.equal(this.#process.ending, "exit code 0");
    return this.countOf(namespace);
  }

  async countOf(namespace: string): Promise<number> {
    const prefix = `received ${namespace} `;
    const line = (await this.#lines()).find((line) => line.startsWith(prefix));
    return Number(line?.slice(prefix.length));
  }

  async #lines(): Promise<string[]> {
    return (await this.#process.printed()).split("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stop();
  }
}
