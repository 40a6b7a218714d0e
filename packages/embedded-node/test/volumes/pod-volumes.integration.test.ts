import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Interceptor } from "@rookery/http";
import { waitFor } from "@rookery/testing";
import type { BoundPod } from "../../src/pod/pod.ts";
import { NodeScene, shell } from "../node-scene.ts";

const forever = "trap 'exit 0' TERM; sleep 1000 & wait";

describe("volumes of pods on a node of processes", () => {
  let scene: NodeScene;
  let tokensMayCome = Promise.resolve();
  const holdTokens: Interceptor = (next) => async (request) => {
    if (request.path.endsWith("/token")) await tokensMayCome;
    return next(request);
  };
  before(async () => {
    scene = await NodeScene.start({ interceptors: [holdTokens] });
  });
  after(async () => {
    await scene[Symbol.asyncDispose]();
    assert.deepEqual(scene.errors, []);
  });

  /** A volume that is this folder, and a claim that asks for it by name. */
  async function claimFolder(path: string): Promise<string> {
    const { namespace, kubernetes } = scene;
    const name = `${namespace}-data`;
    const common = { accessModes: ["ReadWriteOnce"], storageClassName: "" };
    const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name: "data" };
    await kubernetes.request("POST", "/api/v1/persistentvolumes", {
      body: {
        metadata: { name },
        spec: { ...common, capacity: { storage: "1Gi" }, hostPath: { path }, claimRef },
      },
    });
    const resources = { requests: { storage: "1Gi" } };
    await kubernetes.request("POST", `/api/v1/namespaces/${namespace}/persistentvolumeclaims`, {
      body: { metadata: { name: "data" }, spec: { ...common, volumeName: name, resources } },
    });
    return name;
  }

  /** Where no controller binds, the test does. */
  async function bind(volume: string): Promise<void> {
    const body = { status: { phase: "Bound", accessModes: ["ReadWriteOnce"] } };
    const contentType = "application/merge-patch+json";
    const claim = `/api/v1/namespaces/${scene.namespace}/persistentvolumeclaims/data/status`;
    const { status } = await scene.kubernetes.request("PATCH", claim, { body, contentType });
    assert.equal(status, 200);
    const path = `/api/v1/persistentvolumes/${volume}/status`;
    await scene.kubernetes.request("PATCH", path, {
      body: { status: { phase: "Bound" } },
      contentType,
    });
  }

  it("are the folders that their claims are bound to, once they are", async () => {
    const folder = join(scene.folder, "..", "claimed");
    await mkdir(folder);
    await writeFile(join(folder, "before"), "kept\n");
    await scene.create("claiming", {
      restartPolicy: "Never",
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
      containers: [
        shell("main", "cat /claimed/data/before; echo written > /claimed/data/after", {
          volumeMounts: [{ name: "data", mountPath: "/claimed/data" }],
        }),
      ],
    });
    await scene.waitForEvent("claiming", /FailedMount .*persistentvolumeclaims? "data" not found/);
    const volume = await claimFolder(folder);
    await bind(volume);
    await scene.waitForPhase("claiming", "Succeeded");
    assert.equal(await scene.log("claiming"), "kept\n");
    assert.equal(await readFile(join(folder, "after"), "utf8"), "written\n");
    await scene.kubernetes.request("DELETE", `/api/v1/persistentvolumes/${volume}`);
  });

  it("have what changed while they were set up before a container begins", async () => {
    const fileOf = ({ metadata }: BoundPod) =>
      join(scene.folder, "pods", metadata.uid ?? "", "volumes", "late", "content");
    const says = (pod: BoundPod, text: string) =>
      waitFor(async () => (await readFile(fileOf(pod), "utf8").catch(() => "")) === text, {
        what: `the file of ${pod.metadata.name} to say ${text}`,
      });
    const create = (name: string, script: string) => {
      const volumeMounts = [{ name: "late", mountPath: "/late" }];
      return scene.create(name, {
        restartPolicy: "Never",
        volumes: [{ name: "late", secret: { secretName: "late" } }],
        containers: [shell("main", script, { volumeMounts })],
      });
    };
    await scene.putSecret("late", { content: "old" });
    const other = await create("beside", forever);
    await scene.waitForReady("beside");
    const held = Promise.withResolvers<void>();
    tokensMayCome = held.promise;
    try {
      await says(await create("during", "cat /late/content"), "old");
      await scene.putSecret("late", { content: "new" });
      // Both hear of it at once.
      await says(other, "new");
    } finally {
      held.resolve();
    }
    await scene.waitForPhase("during", "Succeeded");
    assert.equal((await scene.log("during")).trim(), "new");
  });

  it("have another token before the one that is there is over", async () => {
    const { metadata } = await scene.createShell("tokens", forever);
    const pod = await scene.waitForReady("tokens");
    const volume = pod.spec.volumes?.find(({ projected }) => projected)?.name ?? "";
    const file = join(scene.folder, "pods", metadata.uid ?? "", "volumes", volume, "token");
    const first = await readFile(file, "utf8");
    // All files of a namespace are looked at when a Secret in it changes.
    await scene.putSecret("other", { change: "one" });
    await scene.createShell("later", "true", { restartPolicy: "Never" });
    await scene.waitForPhase("later", "Succeeded");
    assert.equal(await readFile(file, "utf8"), first, "a young token stays");
    scene.aheadMs = 3_000_000;
    await scene.putSecret("other", { change: "two" });
    const second = await waitFor(
      async () => {
        const token = await readFile(file, "utf8");
        return token === first ? undefined : token;
      },
      { what: "another token" },
    );
    const { body } = await scene.kubernetes.request(
      "POST",
      "/apis/authentication.k8s.io/v1/tokenreviews",
      { body: { spec: { token: second } } },
    );
    assert.equal(body.status.authenticated, true, JSON.stringify(body.status));
    assert.match(body.status.user.username, /:default$/);
  });
});
