import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { type Child, lastLines, processesOfPods, startChild, waitFor } from "@rookery/testing";
import { forever, runsManyPods } from "./many-pods.ts";
import { NodeScene, statusOf } from "./node-scene.ts";

const program = fileURLToPath(new URL("./node-process.ts", import.meta.url));

describe("a node that ends and comes back", () => {
  let scene: NodeScene;
  before(async () => {
    scene = await NodeScene.start({ flavour: "embedded", withoutNode: true });
  });
  after(() => scene[Symbol.asyncDispose]());

  let starts = 0;
  const startNodeProcess = async (): Promise<Child> => {
    starts += 1;
    const { kubernetes, nodeName, folder } = scene;
    const log = join(kubernetes.logs, `node-${starts}.log`);
    const about = [kubernetes.kubeconfig, kubernetes.server, nodeName, folder, "127.71.0.0/16"];
    const child = await startChild({
      name: "node",
      command: process.execPath,
      args: [program, ...about],
      log,
      env: process.env,
    });
    await waitFor(
      () => {
        child.assertRunning();
        return lastLines(log).includes("the node is ready");
      },
      { what: "the node" },
    );
    return child;
  };

  it("leaves nothing of a former run, and begins its pods again", async () => {
    const first = await startNodeProcess();
    // One that leaves its group, which no container's end would reach.
    const { metadata } = await scene.createShell("stays", `setsid sleep 1001 & ${forever}`);
    const job = await scene.createShell("job", forever, { restartPolicy: "Never" });
    const gone = await scene.createShell("gone", forever);
    const before = await scene.waitForReady("stays");
    await Promise.all([scene.waitForReady("job"), scene.waitForReady("gone")]);
    const uids = [metadata.uid, job.metadata.uid, gone.metadata.uid].map((uid) => uid ?? "");
    await waitFor(async () => processesOfPods(new Set([uids[0]])).length >= 3, {
      what: "its processes",
    });
    await first.kill();
    const left = processesOfPods(uids);
    assert.ok(left.length >= 3, "they outlive the node until it comes back");
    await scene.delete("gone", 0);

    await using second = await startNodeProcess();
    const pod = await scene.waitForPod("stays", "to run again", (one) => {
      const { restartCount, state } = statusOf(one);
      return restartCount === 1 && state?.running !== undefined;
    });
    const now = processesOfPods(uids);
    assert.deepEqual(
      now.filter((pid) => left.includes(pid)),
      [],
      "nothing is left",
    );
    assert.equal(pod.status?.podIP, before.status?.podIP);
    const { exitCode, reason } = statusOf(pod).lastState?.terminated ?? {};
    assert.deepEqual([exitCode, reason], [255, "Unknown"]);
    const failed = await scene.waitForPhase("job", "Failed");
    assert.equal(statusOf(failed).restartCount, 0);
    assert.equal(existsSync(join(scene.folder, "pods", uids[2] ?? "")), false);
    await scene.waitForEvent("stays", /^Normal SandboxChanged /);
    await scene.delete("stays");
    await scene.waitForGone("stays");
    await second.kill();
  });

  it("ends its pods when it stops in an orderly way, and they come back", async () => {
    await scene.startNode();
    const { metadata } = await scene.createShell(
      "orderly",
      "trap 'exit 7' TERM; echo up; sleep 1000 & wait",
    );
    await scene.waitForReady("orderly");
    await scene.waitForLog("orderly", /up/);
    await scene.stopNode();
    assert.deepEqual(processesOfPods([metadata.uid]), []);
    assert.equal((await scene.get("orderly")).status?.phase, "Running");
    await scene.startNode();
    const pod = await scene.waitForPod("orderly", "to run again", (one) => {
      const { restartCount, state } = statusOf(one);
      return restartCount === 1 && state?.running !== undefined;
    });
    assert.equal(statusOf(pod).lastState?.terminated?.exitCode, 7);
    await scene.stopNode();
  });

  it("gives a pod whose record is lost another address in place of the former one", async () => {
    await scene.startNode();
    // Its address is the first free one again, unless another pod has taken it by then.
    await scene.createShell("first", forever);
    await scene.waitForReady("first");
    await scene.createShell("unrecorded", forever);
    const before = await scene.waitForReady("unrecorded");
    await scene.stopNode();
    await rm(join(scene.folder, "pods"), { recursive: true });
    await scene.delete("first", 0);

    await scene.startNode();
    const after = await scene.waitForPod("unrecorded", "to be ready at another address", (pod) => {
      const isReady = pod.status?.conditions?.some(
        ({ type, status }) => type === "Ready" && status === "True",
      );
      return isReady === true && pod.status?.podIP !== before.status?.podIP;
    });
    assert.deepEqual(after.status?.podIPs, [{ ip: after.status?.podIP }]);
    await scene.delete("unrecorded", 0);
    await scene.stopNode();
  });

  it("runs two hundred pods at once", () => runsManyPods(scene, 200));
});
