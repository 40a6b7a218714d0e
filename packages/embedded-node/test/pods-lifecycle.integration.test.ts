import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { processesOfPods, waitFor } from "@rookery/testing";
import { detectMountTools } from "../src/processes/mount-mode.ts";
import { NodeScene, shell, statusOf } from "./node-scene.ts";

const forever = "trap 'exit 0' TERM; sleep 1000 & wait";

describe("a node of processes", () => {
  let scene: NodeScene;
  before(async () => {
    scene = await NodeScene.start();
  });
  after(async () => {
    await scene[Symbol.asyncDispose]();
    assert.deepEqual(scene.errors, []);
  });

  it("is a Node that is ready, with a lease", async () => {
    const nodes = await scene.kubernetes.request("GET", `/api/v1/nodes/${scene.nodeName}`);
    const { metadata, status } = nodes.body;
    assert.equal(metadata.labels["kubernetes.io/hostname"], scene.nodeName);
    assert.equal(status.capacity.pods, "250");
    const ready = status.conditions.find(({ type }: { type: string }) => type === "Ready");
    assert.deepEqual([ready.status, ready.reason], ["True", "KubeletReady"]);
    const lease = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${scene.nodeName}`;
    const { body } = await scene.kubernetes.request("GET", lease);
    assert.equal(body.spec.holderIdentity, scene.nodeName);
  });

  const skip = detectMountTools() ? false : "containers have no mounts of their own here";
  it("tells containers the names of Services, also of those that come later", {
    skip,
  }, async () => {
    const say = 'echo "$(grep -c "$1" /etc/hosts) of $1"';
    const script = `say() { ${say}; }; say other.example.com
      until grep -q "named.${scene.namespace}.svc" /etc/hosts; do sleep 0.1; done
      say named.${scene.namespace}.svc.cluster.local; sleep 1000 & wait`;
    const hostAliases = [{ ip: "10.9.8.7", hostnames: ["other.example.com"] }];
    await scene.createShell("hears-names", script, { hostAliases });
    await scene.waitForLog("hears-names", /^1 of other.example.com$/m);
    const services = `/api/v1/namespaces/${scene.namespace}/services`;
    const metadata = { name: "named" };
    const spec = { ports: [{ port: 80 }] };
    await scene.kubernetes.request("POST", services, { body: { metadata, spec } });
    await scene.waitForLog("hears-names", /^1 of named\..*\.svc\.cluster\.local$/m);
    await scene.delete("hears-names", 0);
  });

  it("runs init containers in order, then the others, and ends them with their grace", async () => {
    const folder = join(scene.folder, "order");
    const volumes = [{ name: "shared", emptyDir: {} }];
    const volumeMounts = [{ name: "shared", mountPath: "/shared/deep" }];
    await scene.create("ordered", {
      volumes,
      initContainers: [
        shell("first", "echo first >> /shared/deep/order", { volumeMounts }),
        shell("second", "sleep 0.2; echo second >> /shared/deep/order", { volumeMounts }),
      ],
      containers: [
        shell(
          "main",
          `trap 'echo bye > ${folder}; exit 0' TERM; cat /shared/deep/order; sleep 1000 & wait`,
          {
            volumeMounts,
          },
        ),
      ],
    });
    const pod = await scene.waitForReady("ordered");
    await scene.waitForLog("ordered", /^first\nsecond\n$/);
    assert.equal(statusOf(pod, "first").state?.terminated?.reason, "Completed");
    assert.match(pod.status?.podIP ?? "", /^127\./);
    await scene.delete("ordered");
    await scene.waitForGone("ordered");
    assert.equal(await readFile(folder, "utf8"), "bye\n");
    assert.equal(existsSync(join(scene.folder, "pods", pod.metadata.uid ?? "")), false);
    const events = await scene.events("ordered");
    for (const wanted of [
      'Normal Pulled Container image "sh:1" already present on machine',
      "Normal Created Created container: main",
      "Normal Started Started container main",
      "Normal Killing Stopping container main",
    ]) {
      assert.ok(events.includes(wanted), `${wanted} in ${events.join("\n")}`);
    }
  });

  it("runs what is put into a pod to look around in it, once", async () => {
    await scene.createShell("looked-at", forever);
    await scene.waitForReady("looked-at");
    const path = `/api/v1/namespaces/${scene.namespace}/pods/looked-at/ephemeralcontainers`;
    const ephemeralContainers = [
      shell("looks", "echo seen; exit 4", { targetContainerName: "main" }),
      shell("stays", forever),
    ];
    await scene.kubernetes.request("PATCH", path, { body: { spec: { ephemeralContainers } } });
    const pod = await scene.waitForPod("looked-at", "both to run", ({ status }) => {
      const [looks, stays] = status?.ephemeralContainerStatuses ?? [];
      return looks?.state?.terminated !== undefined && stays?.state?.running !== undefined;
    });
    const [looks] = pod.status?.ephemeralContainerStatuses ?? [];
    assert.deepEqual([looks?.state?.terminated?.exitCode, looks?.restartCount], [4, 0]);
    assert.equal(pod.status?.phase, "Running");
    assert.equal(await scene.log("looked-at", { container: "looks" }), "seen\n");
    await scene.delete("looked-at");
    await scene.waitForGone("looked-at");
    assert.deepEqual(processesOfPods([pod.metadata.uid ?? ""]), []);
  });

  it("lets a job's pod succeed, and one that fails tell why", async () => {
    await scene.createShell("good", "echo done", { restartPolicy: "Never" });
    const good = await scene.waitForPhase("good", "Succeeded");
    assert.equal(statusOf(good).state?.terminated?.exitCode, 0);
    const main = shell("main", "echo reason; exit 3", {
      terminationMessagePolicy: "FallbackToLogsOnError",
    });
    await scene.create("bad", { restartPolicy: "Never", containers: [main] });
    const bad = await scene.waitForPhase("bad", "Failed");
    const { exitCode, reason, message } = statusOf(bad).state?.terminated ?? {};
    assert.deepEqual([exitCode, reason, message], [3, "Error", "reason\n"]);
    const told = shell("main", "echo why > /dev/termination-log; exit 1");
    await scene.create("told", { restartPolicy: "Never", containers: [told] });
    const status = statusOf(await scene.waitForPhase("told", "Failed"));
    assert.equal(status.state?.terminated?.message, "why\n");
  });

  it("starts a container that crashes again and again, later each time", async () => {
    await scene.createShell("crash", "echo run; exit 1");
    const pod = await scene.waitForPod("crash", "to back off after restarts", (one) => {
      const { restartCount = 0, state } = statusOf(one);
      return restartCount >= 2 && state?.waiting?.reason === "CrashLoopBackOff";
    });
    const { state, lastState } = statusOf(pod);
    const { uid } = pod.metadata;
    assert.match(
      state?.waiting?.message ?? "",
      new RegExp(
        `^back-off \\S+ restarting failed container=main pod=crash_${scene.namespace}\\(${uid}\\)$`,
      ),
    );
    assert.equal(lastState?.terminated?.exitCode, 1);
    assert.equal(pod.status?.phase, "Running");
    assert.equal(await scene.log("crash", { previous: true }), "run\n");
    await scene.waitForEvent(
      "crash",
      /^Warning BackOff Back-off restarting failed container main in pod crash_/,
    );
    await scene.delete("crash");
    await scene.waitForGone("crash");
  });

  it("runs a container anew by another image, and leaves the others alone", async () => {
    await scene.create("changing", {
      restartPolicy: "Never",
      containers: [shell("main", forever), shell("side", `echo begun; ${forever}`)],
    });
    await scene.waitForReady("changing");
    const path = `/api/v1/namespaces/${scene.namespace}/pods/changing`;
    const patch = [{ op: "replace", path: "/spec/containers/1/image", value: "sh:2" }];
    const contentType = "application/json-patch+json";
    await scene.kubernetes.request("PATCH", path, { body: patch, contentType });
    const pod = await scene.waitForPod("changing", "to run the other image", (one) => {
      const { restartCount, image, state } = statusOf(one, "side");
      return restartCount === 1 && image === "sh:2" && state?.running !== undefined;
    });
    assert.equal(statusOf(pod).restartCount, 0);
    await scene.waitForEvent(
      "changing",
      /^Normal Killing Container side definition changed, will be restarted$/,
    );
  });

  it("kills a container whose preStop hangs when the grace is over", async () => {
    const lifecycle = { preStop: { exec: { command: ["sleep", "1000"] } } };
    const main = shell("main", "trap '' TERM; while true; do sleep 1; done", { lifecycle });
    await scene.create("hanging", { terminationGracePeriodSeconds: 1, containers: [main] });
    const { metadata } = await scene.waitForReady("hanging");
    await scene.delete("hanging");
    await scene.waitForGone("hanging");
    assert.deepEqual(processesOfPods([metadata.uid]), []);
  });

  it("takes a killed process for a failed container, and what it started goes with it", async () => {
    // As in any pod, two dollars are one.
    await scene.createShell("killed", "sleep 1000 & echo $$$$; wait");
    const before = await scene.waitForReady("killed");
    const pid = Number(await scene.waitForLog("killed", /^\d+\n/));
    process.kill(pid, "SIGKILL");
    const pod = await scene.waitForPod("killed", "to run again", (one) => {
      const { restartCount, state } = statusOf(one);
      return restartCount === 1 && state?.running !== undefined;
    });
    const { exitCode, reason } = statusOf(pod).lastState?.terminated ?? {};
    assert.deepEqual([exitCode, reason], [137, "Error"]);
    const left = processesOfPods([before.metadata.uid]);
    assert.ok(!left.includes(pid));
  });

  it("brings a rotated Secret to a running pod", async () => {
    await scene.putSecret("rotating", { password: "one" });
    const volumes = [{ name: "secret", secret: { secretName: "rotating" } }];
    const script = "while true; do cat /etc/secret/password; echo; sleep 0.2; done";
    const volumeMounts = [{ name: "secret", mountPath: "/etc/secret", readOnly: true }];
    await scene.create("rotated", {
      volumes,
      containers: [shell("main", script, { volumeMounts })],
    });
    await scene.waitForReady("rotated");
    await scene.waitForLog("rotated", /^one\n/);
    await scene.putSecret("rotating", { password: "two" });
    await scene.waitForLog("rotated", /\ntwo\n/);
  });

  it("waits for a volume and for a key, and says which", async () => {
    const volumes = [{ name: "late", configMap: { name: "late" } }];
    await scene.createShell("mounting", forever, { volumes });
    await scene.waitForEvent(
      "mounting",
      /^Warning FailedMount MountVolume.SetUp failed for volume "late" : configmap "late" not found$/,
    );
    assert.equal(statusOf(await scene.get("mounting")).state?.waiting?.reason, "ContainerCreating");
    const env = [{ name: "X", valueFrom: { secretKeyRef: { name: "late-secret", key: "x" } } }];
    await scene.create("configured", { containers: [shell("main", "echo $X", { env })] });
    const pod = await scene.waitForPod(
      "configured",
      "to miss its Secret",
      (one) => statusOf(one).state?.waiting?.reason === "CreateContainerConfigError",
    );
    assert.equal(statusOf(pod).state?.waiting?.message, 'secret "late-secret" not found');
    await scene.putSecret("late-secret", { x: "there" });
    await scene.waitForLog("configured", /there/);
  });

  it("says which images it has where it has not the one that is asked for", async () => {
    await scene.create("unknown", { containers: [{ name: "main", image: "nginx:1" }] });
    const pod = await scene.waitForPod(
      "unknown",
      "to back off",
      (one) => statusOf(one).state?.waiting?.reason === "ImagePullBackOff",
    );
    assert.match(
      statusOf(pod).state?.waiting?.message ?? "",
      /^Back-off pulling image "nginx:1": ErrImagePull: .*this node runs sh$/,
    );
    await scene.waitForEvent("unknown", /^Warning Failed Failed to pull image "nginx:1": /);
  });

  it("ends sidecars after the others, and starts them before", async () => {
    const volumes = [{ name: "shared", emptyDir: {} }];
    const volumeMounts = [{ name: "shared", mountPath: "/shared" }];
    const path = join(scene.folder, "sidecar-order");
    const startupProbe = { exec: { command: ["test", "-e", "/shared/up"] }, periodSeconds: 1 };
    await scene.create("sidecars", {
      restartPolicy: "Never",
      volumes,
      initContainers: [
        shell(
          "side",
          `trap 'echo side >> ${path}; exit 0' TERM; touch /shared/up; sleep 1000 & wait`,
          {
            volumeMounts,
            startupProbe,
            restartPolicy: "Always",
          },
        ),
      ],
      containers: [shell("main", `test -e /shared/up && echo main >> ${path}`, { volumeMounts })],
    });
    const pod = await scene.waitForPhase("sidecars", "Succeeded");
    assert.equal(await readFile(path, "utf8"), "main\nside\n");
    assert.equal(statusOf(pod, "side").state?.terminated?.exitCode, 0);
  });

  it("restarts what is not alive, and is ready only when the probe says so", async () => {
    const volumes = [{ name: "shared", emptyDir: {} }];
    const check = (file: string) => ({
      exec: { command: ["test", "-e", `/shared/${file}`] },
      periodSeconds: 1,
      failureThreshold: 1,
    });
    const main = shell("main", "touch /shared/alive; trap 'exit 0' TERM; sleep 1000 & wait", {
      volumeMounts: [{ name: "shared", mountPath: "/shared" }],
      livenessProbe: { ...check("alive"), initialDelaySeconds: 1 },
      readinessProbe: check("ready"),
    });
    const { metadata } = await scene.create("probed", { volumes, containers: [main] });
    await scene.waitForEvent("probed", /^Warning Unhealthy Readiness probe failed: /);
    const of = {
      namespace: scene.namespace,
      pod: "probed",
      uid: metadata.uid ?? "",
      container: "main",
    };
    const run = async (...command: string[]) => {
      const options = { stdin: false, stdout: true, stderr: true, tty: false };
      const executed = await scene.node.streams.exec(of, command, options);
      executed.stdout?.resume();
      executed.stderr?.resume();
      return executed.ended;
    };
    assert.equal(await run("touch", "/shared/ready"), 0);
    await scene.waitForReady("probed");
    assert.equal(await run("rm", "/shared/alive"), 0);
    await scene.waitForPod("probed", "to be restarted", (one) => statusOf(one).restartCount === 1);
    await scene.waitForEvent(
      "probed",
      /^Normal Killing Container main failed liveness probe, will be restarted$/,
    );
  });

  it("gives up a pod that takes too long", async () => {
    await scene.createShell("late", forever, { activeDeadlineSeconds: 1 });
    const { status } = await scene.waitForPhase("late", "Failed");
    assert.equal(status?.reason, "DeadlineExceeded");
  });

  it("ends a pod that was removed by force", async () => {
    const { metadata } = await scene.createShell("forced", forever);
    await scene.waitForReady("forced");
    await scene.delete("forced", 0);
    await waitFor(async () => processesOfPods([metadata.uid]).length === 0, {
      what: "its processes to end",
    });
  });
});
