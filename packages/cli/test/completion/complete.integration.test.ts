import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import {
  createTemporaryFolder,
  type Kubernetes,
  startKubernetes,
  type TemporaryFolder,
  waitFor,
} from "@rookery/testing";
import { namesFrom } from "../../src/completion/cluster-names.ts";
import { run } from "../run.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** A kind that names are asked of; what is in it matters to nobody here. */
const kindOf = (group: string, kind: string) => {
  const plural = `${kind.toLowerCase()}s`;
  const schema = {
    openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  };
  const version = { name: "v1", served: true, storage: true, schema };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: { group, names: { kind, plural }, scope: "Namespaced", versions: [version] },
  } as const;
};

const colours = ["blue", "green"];

describe("completion with a cluster", () => {
  let kubernetes: Kubernetes;
  let folder: TemporaryFolder;
  before(async () => {
    folder = await createTemporaryFolder("completion");
    kubernetes = await startKubernetes({ flavour: "embedded" });
    await kubernetes.applyCrd(kindOf("cluster.x-k8s.io", "Cluster"));
    await kubernetes.applyCrd(kindOf("management.cluster.x-k8s.io", "InfrastructureProvider"));
    await kubernetes.kubectl(["create", "namespace", "team-one"]);
    const objects = colours.flatMap((name) => [
      { apiVersion: "cluster.x-k8s.io/v1", kind: "Cluster", metadata: { name } },
      {
        apiVersion: "management.cluster.x-k8s.io/v1",
        kind: "InfrastructureProvider",
        metadata: { name },
      },
    ]);
    const items = objects.map((object) => JSON.stringify(object)).join("\n---\n");
    await kubernetes.kubectl(["apply", "--namespace=team-one", "-f", "-"], { stdin: items });
  });
  after(async () => {
    await kubernetes?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const names = async (...words: readonly string[]) => {
    const { output } = await run(["__complete", ...words], {
      env: { KUBECONFIG: kubernetes.kubeconfig },
    });
    return output.trimEnd().split("\n").slice(0, -1);
  };

  it("offers its namespaces", async () => {
    assert.deepEqual(await names("move", "-n", "team"), ["team-one"]);
  });

  it("offers the clusters of the namespace that was named before", async () => {
    assert.deepEqual(await names("move", "-n", "team-one", "--cluster", ""), colours);
    assert.deepEqual(await names("move", "--cluster", ""), []);
  });

  it("offers the providers that there are, or those that there could be", async () => {
    const source = { from: "providers", kind: "InfrastructureProvider" } as const;
    const io = { write: () => {}, writeError: () => {}, readInput: async () => "", env: {} };
    const asked = { kubeconfig: kubernetes.kubeconfig, kubeconfigs: {} };
    assert.deepEqual(await namesFrom(source, { ...asked, isNew: false }, io), colours);
    assert.ok((await namesFrom(source, { ...asked, isNew: true }, io)).includes("vsphere"));
  });

  it("completes what is typed in a real bash", { skip: process.platform !== "linux" }, async () => {
    await using bash = await startBash(folder.path);
    await bash.type("rookery version --outp\t", "--output ");
    await bash.type("js\t", "json ");
    await bash.type("\r", '"rookery": "');
    await bash.type("rookery version --output=ya\t", "--output=yaml ");
    await bash.type("\r", "rookery: ");
    const { kubeconfig } = kubernetes;
    await bash.type(`rookery move --kubeconfig=${kubeconfig.slice(0, -3)}\t`, `${kubeconfig} `);
    await bash.type("--namespace team-o\t", "team-one ");
    await bash.type("--cluster=gr\t", "--cluster=green ");
  });
});

interface Bash extends AsyncDisposable {
  /** Presses keys, and waits until the terminal shows something new. */
  type(keys: string, shown: string): Promise<void>;
}

/** At a terminal, as somebody has it in front of them; `rookery` is that of this clone. */
async function startBash(folder: string): Promise<Bash> {
  await symlink(main, join(folder, "rookery"));
  const settings = join(folder, "bashrc");
  await writeFile(settings, `PS1='ready> '\nsource <(rookery completion bash)\n`);
  const path = [folder, dirname(process.execPath), process.env.PATH].join(":");
  const command = `stty columns 500; exec bash --noprofile --rcfile ${settings} -i`;
  const child: ChildProcessWithoutNullStreams = spawn(
    "/usr/bin/script",
    ["-qec", command, "/dev/null"],
    {
      env: { PATH: path, HOME: folder, TERM: "dumb", SHELL: "/bin/bash" },
    },
  );
  let seen = "";
  child.stdout.on("data", (chunk: Buffer) => {
    seen += chunk.toString();
  });
  const shows = async (text: string) => {
    const what = `bash to show ${JSON.stringify(text)}`;
    await waitFor(async () => seen.includes(text), { what, detail: () => seen });
  };
  await shows("ready> ");
  return {
    async type(keys, shown) {
      seen = "";
      child.stdin.write(keys);
      await shows(shown);
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      // Without its terminal, bash is hung up; asked in any other way, an interactive one stays.
      child.kill("SIGKILL");
      await ended;
    },
  };
}
