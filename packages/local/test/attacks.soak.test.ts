import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { CommandFailedError, createTemporaryFolder, runCommand } from "@rookery/testing";
import { AttackedCluster, sh } from "./attacked-cluster.ts";

const isRoot = process.getuid?.() === 0;
const asRoot = { skip: isRoot ? false : "only root runs pods as other users" };
const nonRoot = { runAsNonRoot: true };
const secret = "what lies outside";
const other = ["--reuid=61234", "--regid=61234", "--clear-groups", "--"];
const scratch = { name: "v", emptyDir: {} };
const at = (mountPath: string, rest: object = {}) => ({ name: "v", mountPath, ...rest });

describe("attacks on the embedded node", () => {
  let cluster: AttackedCluster;
  let outside: string;

  before(async () => {
    cluster = await AttackedCluster.start();
    outside = join(cluster.folder, "outside");
    await mkdir(outside, { mode: 0o755 });
    await writeFile(join(outside, "file"), secret, { mode: 0o600 });
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  /** The message of a pod's container that can't be made. */
  async function refusal(name: string, spec: object): Promise<string> {
    await cluster.pod(name, spec);
    const state = "{.status.containerStatuses[0].state.waiting}";
    return cluster.until(name, state, /CreateContainerConfigError/);
  }

  it("a pod leaves its volume by a subPathExpr whose variable goes up", async () => {
    const env = [{ name: "UP", value: `../../../../../../../..${outside}` }];
    const volumeMounts = [at("/mnt/v", { subPathExpr: "$(UP)" })];
    const containers = [sh("main", "cat /mnt/v/file", { env, volumeMounts })];
    assert.match(
      await refusal("expression", { volumes: [scratch], containers }),
      /must not contain '\.\.'/,
    );
  });

  it("a pod leaves its volume by a subPathExpr that begins at the root", async () => {
    const env = [{ name: "ROOT", value: outside }];
    const volumeMounts = [at("/mnt/v", { subPathExpr: "$(ROOT)" })];
    const containers = [sh("main", "cat /mnt/v/file", { env, volumeMounts })];
    assert.match(
      await refusal("absolute", { volumes: [scratch], containers }),
      /must not be an absolute path/,
    );
  });

  it("a pod leaves its volume by a link that it planted in it", async () => {
    const initContainers = [sh("plant", `ln -s ${outside} /v/link`, { volumeMounts: [at("/v")] })];
    const volumeMounts = [at("/mnt/v", { subPath: "link" })];
    const containers = [sh("main", "cat /mnt/v/file", { volumeMounts })];
    const message = await refusal("planted", { volumes: [scratch], initContainers, containers });
    assert.match(message, /failed to prepare subPath for volumeMount/);
    assert.ok(!message.includes(outside), "nothing is said of the machine's files");
  });

  it("a pod has the node make folders outside of its volume below a link", async () => {
    const initContainers = [sh("plant", `ln -s ${outside} /v/link`, { volumeMounts: [at("/v")] })];
    const below = [at("/mnt/v", { subPath: "link/made" })];
    const inside = [at("/mnt/v"), { name: "w", mountPath: "/mnt/v/link/mounted" }];
    const volumes = [scratch, { name: "w", emptyDir: {} }];
    await refusal("below", {
      volumes,
      initContainers,
      containers: [sh("main", ":", { volumeMounts: below })],
    });
    await cluster.pod("mounted", {
      volumes,
      initContainers,
      containers: [sh("main", ":", { volumeMounts: inside })],
    });
    const state = "{.status.containerStatuses[0].state.waiting.reason}";
    await cluster.until("mounted", state, /CreateContainer/);
    assert.deepEqual(await readdir(outside), ["file"]);
  });

  it("a pod swaps a folder of its volume for a link while a part of it is mounted", async () => {
    const racer = `mkdir -p /v/dir/part; while :; do mv /v/dir /v/kept; ln -s ${outside} /v/dir; rm /v/dir; mv /v/kept /v/dir; sleep 0.02; done`;
    const volumeMounts = [at("/mnt/v", { subPath: "dir" })];
    const containers = [
      sh("racer", racer, { volumeMounts: [at("/v")] }),
      sh("main", "sleep 3600", { volumeMounts }),
    ];
    await cluster.pod("racing", { restartPolicy: "Always", volumes: [scratch], containers });
    await cluster.until(
      "racing",
      "{.status.containerStatuses[*].state.running}",
      /startedAt.*startedAt/,
    );
    let mounted = 0;
    // Each command has mounts of its own, which are made anew.
    for (let round = 0; round < 60; round += 1) {
      const look = [
        "exec",
        "racing",
        "-c",
        "main",
        "--",
        "/bin/sh",
        "-c",
        "ls /mnt/v; cat /mnt/v/file",
      ];
      const { out } = await cluster.kubectl(...look);
      assert.ok(!out.includes(secret), out);
      mounted += out.includes("part") ? 1 : 0;
    }
    assert.ok(mounted > 0, "the honest folder was mounted as well");
    assert.deepEqual(await readdir(outside), ["file"]);
    await cluster.kubectl("delete", "pod", "racing", "--grace-period=0", "--force");
  });

  it(
    "a pod has the node give it a file of somebody else by a link in a volume of its group",
    asRoot,
    async () => {
      const claim = {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: "shared", namespace: "default" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Mi" } } },
      };
      assert.equal((await cluster.apply(claim)).exitCode, 0);
      const volumes = [{ name: "v", persistentVolumeClaim: { claimName: "shared" } }];
      const plant = `ln -s ${outside}/file /v/file; ln -s ${outside} /v/folder`;
      await cluster.output("planter", {
        volumes,
        containers: [sh("main", plant, { volumeMounts: [at("/v")] })],
      });
      const containers = [sh("main", "cat /v/file /v/folder/file", { volumeMounts: [at("/v")] })];
      const securityContext = { ...nonRoot, fsGroup: 61_234 };
      assert.doesNotMatch(
        await cluster.output("taker", { securityContext, volumes, containers }),
        /outside/,
      );
      const { uid, gid, mode } = await stat(join(outside, "file"));
      assert.deepEqual([uid, gid, mode & 0o777], [0, 0, 0o600]);
    },
  );

  it(
    "a pod that must not be root becomes root by a program that runs as its owner",
    asRoot,
    async () => {
      const initContainers = [
        sh("plant", "cp /usr/bin/id /v/id; chmod 4755 /v/id", { volumeMounts: [at("/v")] }),
      ];
      const securityContext = { ...nonRoot, allowPrivilegeEscalation: false };
      const containers = [sh("main", "/v/id -u", { securityContext, volumeMounts: [at("/v")] })];
      const spec = { volumes: [scratch], initContainers, containers };
      assert.equal(await cluster.output("setuid", spec), "65532\n");
    },
  );

  it("a pod that must not be root says that it is root", async () => {
    const securityContext = { ...nonRoot, runAsUser: 0 };
    const message = await refusal("root", { securityContext, containers: [sh("main", "id -u")] });
    assert.match(message, /container's runAsUser breaks non-root policy/);
  });

  it(
    "a pod that must not be root reads the store, the keys and other pods' files",
    asRoot,
    async () => {
      const script = `for file in $(find ${cluster.data} -type f 2>/dev/null) ${cluster.data}/store.sqlite ${cluster.data}/pki/ca.key ${cluster.kubeconfig}; do cat $file && echo read $file; done 2>/dev/null; echo done`;
      const containers = [sh("main", script)];
      assert.equal(
        await cluster.output("reader", { securityContext: nonRoot, containers }),
        "done\n",
      );
    },
  );

  it("another user of the machine reads the store, the keys and logs of pods", asRoot, async () => {
    await cluster.output("talker", { containers: [sh("main", "echo a secret in a log")] });
    // As if the folder above were open to all, as most homes' are.
    const listed = await Promise.all(
      [".", "pki", "node/logs"].map((name) =>
        readdir(join(cluster.data, name), { recursive: name !== ".", withFileTypes: true }),
      ),
    );
    const own = listed.flat();
    const files = own
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const modes = await Promise.all(
      files.map(async (file) => [file, (await stat(file)).mode] as const),
    );
    assert.deepEqual(
      modes.filter(([, mode]) => (mode & 0o077) !== 0),
      [],
    );
    assert.equal((await stat(cluster.data)).mode & 0o077, 0);
    for (const file of ["store.sqlite", "pki/ca.key", "kubeconfig"]) {
      const read = runCommand("setpriv", [...other, "cat", join(cluster.data, file)]);
      await assert.rejects(read, CommandFailedError);
    }
  });

  it("a pod names a place of a ConfigMap that leaves its volume", async () => {
    await cluster.kubectl("create", "configmap", "settings", "--from-literal=key=value");
    const items = [{ key: "key", path: "../../../../escaped" }];
    const volumes = [{ name: "v", configMap: { name: "settings", items } }];
    const spec = { volumes, containers: [sh("main", ":", { volumeMounts: [at("/v")] })] };
    await assert.rejects(cluster.pod("keys", spec), /must not contain '\.\.'/);
    const fieldRef = { fieldPath: "metadata.name" };
    const named = [{ name: "v", downwardAPI: { items: [{ path: "/etc/escaped", fieldRef }] } }];
    await assert.rejects(
      cluster.pod("fields", { ...spec, volumes: named }),
      /must be a relative path/,
    );
    assert.equal(existsSync(join(cluster.data, "escaped")), false);
  });

  it("a pod writes into a volume that the node writes, to lead the node elsewhere", async () => {
    const volumes = [{ name: "v", configMap: { name: "settings", optional: true } }];
    const plant = `rm -f /v/..data; ln -s ${outside} /v/..data; ln -s ${outside} /v/..data_tmp; echo tried`;
    const containers = [sh("main", plant, { volumeMounts: [at("/v")] })];
    const said = await cluster.output("writer", { volumes, containers });
    assert.match(said, /Read-only file system/);
    assert.deepEqual(await readdir(outside), ["file"]);
  });

  it("a pod fills the node's memory by the message of its end", async () => {
    const script = "head -c 400000000 /dev/zero | tr '\\0' x > /dev/termination-log";
    const before = process.memoryUsage().rss;
    await cluster.output("message", { containers: [sh("main", script)] });
    const path = "{.status.containerStatuses[0].state.terminated.message}";
    assert.equal((await cluster.until("message", path, /^x+$/)).length, 4096);
    assert.ok(process.memoryUsage().rss - before < 300_000_000, "the file is not read as a whole");
  });

  it("a restricted namespace gets a pod with the machine's root, by itself or by a Deployment", async () => {
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    await cluster.apply({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "tenant", labels },
    });
    const volumes = [{ name: "v", hostPath: { path: "/" } }];
    const spec = { volumes, containers: [sh("main", "ls /v", { volumeMounts: [at("/v")] })] };
    const metadata = { name: "evil", namespace: "tenant" };
    const { err } = await cluster.apply({ apiVersion: "v1", kind: "Pod", metadata, spec });
    assert.match(err, /violates PodSecurity "restricted:latest": .*hostPath/);
    const template = { metadata: { labels: { app: "evil" } }, spec };
    const deployment = { selector: { matchLabels: { app: "evil" } }, template };
    await cluster.apply({ apiVersion: "apps/v1", kind: "Deployment", metadata, spec: deployment });
    const wait = [
      "wait",
      "deployment/evil",
      "-ntenant",
      "--for=condition=ReplicaFailure",
      "--timeout=60s",
    ];
    assert.equal((await cluster.kubectl(...wait)).exitCode, 0);
    assert.equal((await cluster.kubectl("get", "pods", "-ntenant", "-oname")).out, "");
  });

  it("an anonymous caller on loopback reads Secrets and runs commands", async () => {
    const { server } = JSON.parse((await cluster.kubectl("config", "view", "--raw", "-ojson")).out)
      .clusters[0].cluster;
    for (const path of [
      "/api/v1/secrets",
      "/api/v1/nodes/rookery/proxy/pods",
      "/metrics",
      "/debug/pprof/",
    ]) {
      const args = [
        "--silent",
        "--insecure",
        "--output",
        "/dev/null",
        "--write-out",
        "%{http_code}",
      ];
      const status = await runCommand("curl", [...args, `${server}${path}`]);
      assert.match(status, /^40[134]$/, path);
    }
  });

  it("an honest pod runs on beside all of these", async () => {
    const containers = [sh("main", "echo hello; id -u")];
    await using folder = await createTemporaryFolder("honest");
    assert.ok(existsSync(folder.path));
    assert.match(await cluster.output("honest", { containers }), /^hello\n/);
  });
});
