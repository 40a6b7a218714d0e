import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { coreKinds, customResourceDefinitionOf } from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import {
  createTemporaryFolder,
  type Kubernetes,
  startKubernetes,
  type TemporaryFolder,
} from "@rookery/testing";

const program = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const namespace = "tenant";
/** Clears the screen, sets the title, fills the clipboard and begins a line anew, also by 8-bit controls. */
const hostile = "\u001b[2J\u001b]0;pwned\u0007\u001b]52;c;eA==\u001b\\fine\rall \u009b2Jgood\u0008";
// biome-ignore lint/suspicious/noControlCharactersInRegex: those must not be there
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** An administrator runs the command on what tenants have written, and on what others have sent. */
describe("the command line withstands it when", { timeout: 300_000 }, () => {
  const stack = new AsyncDisposableStack();
  let kubernetes: Kubernetes;
  let client: Client;
  let folder: TemporaryFolder;

  before(async () => {
    folder = stack.use(await createTemporaryFolder("attack"));
    kubernetes = stack.use(await startKubernetes({ private: true, flavour: "embedded" }));
    client = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
    const crds = coreKinds.map(customResourceDefinitionOf);
    await Promise.all(crds.map((crd) => kubernetes.applyCrd({ ...crd, spec: { ...crd.spec } })));
    const metadata = { name: namespace };
    await (await client.kind({ apiVersion: "v1", kind: "Namespace" })).create({
      apiVersion: "v1",
      kind: "Namespace",
      metadata,
    });
    await makeCluster();
  });
  after(() => stack.disposeAsync());

  async function makeCluster(): Promise<void> {
    const [apiVersion, kind] = ["cluster.x-k8s.io/v1beta2", "Cluster"];
    const resource = await client.kind<KubeObject>({ apiVersion, kind });
    const infrastructureRef = {
      apiGroup: "infrastructure.cluster.x-k8s.io",
      kind: "InfraCluster",
      name: "a",
    };
    const metadata = { namespace, name: "a" };
    await resource.create({ apiVersion, kind, metadata, spec: { infrastructureRef } });
    const lastTransitionTime = "2026-01-01T00:00:00Z";
    const conditions = ["Available", "InfrastructureReady"].map((type) => ({
      type,
      status: "False",
      reason: "NotReady",
      message: hostile,
      lastTransitionTime,
    }));
    const patch = { status: { conditions } };
    await resource.status.patch(metadata, { type: "merge", patch });
  }

  async function rookery(args: string, env: Record<string, string> = {}, input = "") {
    const own = { ...process.env, KUBECONFIG: kubernetes.kubeconfig, HOME: folder.path, ...env };
    const child = spawn(process.execPath, [program, ...args.split(" ")], { env: own });
    const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
    child.stdin.end(input);
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await closed, output, errors };
  }

  async function makeKubeconfig(cluster: string, user: object): Promise<void> {
    const config = {
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: "https://a.example.com:6443" } }],
      users: [{ name: "u", user }],
    };
    await makeSecret(cluster, JSON.stringify(config));
  }

  async function makeSecret(cluster: string, value: string): Promise<void> {
    const secrets = await client.kind<KubeObject & { data?: object }>({
      apiVersion: "v1",
      kind: "Secret",
    });
    await secrets.create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace, name: `${cluster}-kubeconfig` },
      data: { value: Buffer.from(value).toString("base64") },
    });
  }

  it("a tenant's condition sends commands to the terminal of who describes its cluster", async () => {
    const { code, output } = await rookery(`describe cluster a -n ${namespace}`);
    assert.equal(code, 0);
    assert.match(output, /\\u001b\[2J/, "it is shown as text");
    assert.doesNotMatch(output.replaceAll("\n", ""), controls);
  });

  for (const form of ["json", "yaml"]) {
    it(`a tenant's condition sends them in ${form}, which still says what was written`, async () => {
      const { output } = await rookery(`get clusters -n ${namespace} -o ${form}`);
      assert.doesNotMatch(output.replaceAll("\n", ""), controls);
      assert.match(output, /pwned/);
      if (form !== "json") return;
      const { status } = JSON.parse(output).items[0];
      assert.equal(status.conditions[0].message, hostile);
    });
  }

  it("an argument that was pasted sends commands to the terminal by an error message", async () => {
    const { code, errors } = await rookery(`describe cluster ${hostile.replaceAll(" ", "")}`);
    assert.equal(code, 1);
    assert.doesNotMatch(errors.replaceAll("\n", ""), controls);
  });

  it("a template from elsewhere sends commands to the terminal", async () => {
    const template = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: "\\e[2J\\a"\n`;
    const { code, output } = await rookery("generate yaml --from -", {}, template);
    assert.equal(code, 0);
    assert.doesNotMatch(output.replaceAll("\n", ""), controls);
  });

  it("a tenant's kubeconfig runs a program of the administrator", async () => {
    const apiVersion = "client.authentication.k8s.io/v1";
    await makeKubeconfig("exec", { exec: { apiVersion, command: "sh", interactiveMode: "Never" } });
    const { code, output, errors } = await rookery(`get kubeconfig exec -n ${namespace}`);
    assert.deepEqual([code, output], [1, ""]);
    assert.match(errors, /put the data in.*--unchecked prints it all the same/s);
    const unchecked = await rookery(`get kubeconfig exec -n ${namespace} --unchecked`);
    assert.match(unchecked.output, /"command":"sh"/);
  });

  it("a tenant's kubeconfig sends a file of the administrator to its server", async () => {
    await makeKubeconfig("file", { tokenFile: "/root/.config/token" });
    const { code, output } = await rookery(`get kubeconfig file -n ${namespace}`);
    assert.deepEqual([code, output], [1, ""]);
  });

  it("a tenant's kubeconfig is printed with commands for the terminal", async () => {
    await makeSecret("raw", `# ${hostile}\n`);
    const { output } = await rookery(`get kubeconfig raw -n ${namespace} --unchecked`);
    assert.match(output, /pwned/);
    assert.doesNotMatch(output.replaceAll("\n", ""), controls);
  });

  it("everybody may read the file that a cluster with its credentials is written to", async () => {
    const [file, template] = [
      join(folder.path, "cluster.yaml"),
      join(folder.path, "template.yaml"),
    ];
    const secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: b}\n";
    await writeFile(template, secret);
    await writeFile(file, "before");
    await chmod(file, 0o644);
    const args = `generate cluster a --from ${template} --write-to ${file} -n ${namespace}`;
    const { code, errors } = await rookery(args);
    assert.equal(code, 0, errors);
    assert.match(await readFile(file, "utf8"), /stringData/);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it("a template is to be fetched without TLS", async () => {
    const { code, errors } = await rookery("generate yaml --from http://127.0.0.1:1/a.yaml");
    assert.equal(code, 1);
    assert.match(errors, /only https, files and - are taken/);
  });
});
