import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  type Child,
  createTemporaryFolder,
  freePort,
  type Kubernetes,
  notOnEmbedded,
  runCommand,
  startChild,
  startKubernetes,
  type TestNamespace,
  waitFor,
} from "@rookery/testing";
import { describeWith, findRollouts } from "./operators-programs.ts";
import { rookery, startProxyProcess, writeAccountKubeconfig } from "./operators-world.ts";

const virtual = "argoproj.io";
const names = ["team1", "team2"] as const;
type Name = (typeof names)[number];
const realOf = (name: Name) => `argoproj.${name}.example.com`;
const patience = { timeout: 180_000 };

const needsIngresses = await notOnEmbedded("it has no Ingress, which argo-rollouts watches");

describeWith(
  "argo-rollouts, unmodified, twice in one cluster",
  needsIngresses ? { skip: needsIngresses } : await findRollouts(),
  (rollouts) => {
    const stack = new AsyncDisposableStack();
    const children: Child[] = [];
    let kubernetes: Kubernetes;
    let namespace: TestNamespace;
    let folder: string;

    before(async () => {
      kubernetes = stack.use(await startKubernetes({ private: true }));
      folder = stack.use(await createTemporaryFolder("argo")).path;
      for (const name of names) {
        await install(name);
        await start(name);
      }
      namespace = stack.use(await kubernetes.createNamespace("world"));
    });
    after(() => stack.disposeAsync());

    /** As anybody would: what the command prints goes to kubectl. There is no node for its pods. */
    async function install(name: Name): Promise<void> {
      const flags = [`--map=${virtual}=${realOf(name)}`, `--name=${name}`, `--namespace=${name}`];
      const command = [rookery, "proxy", "inject", "-f", rollouts.manifests, ...flags];
      const stdin = await runCommand(process.execPath, command);
      await kubernetes.kubectl(["create", "namespace", name]);
      await kubernetes.kubectl(["apply", "--server-side", "--filename=-"], { stdin });
    }

    async function start(name: Name): Promise<void> {
      const account = { namespace: name, name: "argo-rollouts" };
      const upstream = await writeAccountKubeconfig(kubernetes, account, folder);
      const mapping = `${virtual}=${realOf(name)}`;
      const proxy = stack.use(await startProxyProcess({ name, folder, upstream, mapping }));
      const metrics = await freePort();
      const healthz = await freePort();
      const child = await startChild({
        name: `rollouts-controller of ${name}`,
        command: rollouts.controller,
        args: [
          ...[`--kubeconfig=${proxy.kubeconfig}`, "--rollout-resync=2"],
          ...[`--metricsPort=${metrics}`, `--healthzPort=${healthz}`],
        ],
        env: { ...process.env, POD_NAMESPACE: name, POD_NAME: name },
        log: join(folder, `${name}-controller.log`),
      });
      stack.use(child);
      children.push(child, proxy.child);
    }

    const rolloutPath = (name: Name, rollout = "") =>
      `/apis/${realOf(name)}/v1alpha1/namespaces/${namespace.name}/rollouts${rollout && `/${rollout}`}`;

    const rollout = (name: Name, image: string) => ({
      apiVersion: `${realOf(name)}/v1alpha1`,
      kind: "Rollout",
      metadata: { name },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: { containers: [{ name: "main", image }] },
        },
        strategy: { canary: { steps: [{ setWeight: 50 }, { pause: {} }] } },
      },
    });

    /** Does what a kubelet would: every pod is ready as soon as it is there. */
    async function makePodsReady(): Promise<void> {
      const path = `/api/v1/namespaces/${namespace.name}/pods`;
      const { items } = (await kubernetes.request("GET", path)).body;
      for (const { metadata, status } of items) {
        if (status.phase === "Running") continue;
        const ready = {
          type: "Ready",
          status: "True",
          lastTransitionTime: new Date().toISOString(),
        };
        const body = { status: { phase: "Running", conditions: [ready] } };
        await kubernetes.request("PATCH", `${path}/${metadata.name}/status`, { body });
      }
    }

    interface Status {
      readonly phase?: string;
      readonly currentStepIndex?: number;
      readonly updatedReplicas?: number;
      readonly stableRS?: string;
    }

    async function reached(name: Name, what: string, holds: (status: Status) => boolean) {
      return waitFor(
        async () => {
          for (const child of children) child.assertRunning();
          await makePodsReady();
          const { body } = await kubernetes.request("GET", rolloutPath(name, name));
          return body.status && holds(body.status) ? body : undefined;
        },
        { what: `the Rollout of ${name} to be ${what}`, ...patience },
      );
    }

    interface ReplicaSet {
      readonly metadata: {
        readonly name: string;
        readonly uid: string;
        readonly generation: number;
        readonly ownerReferences: readonly { readonly apiVersion: string; readonly kind: string }[];
      };
      readonly spec: { readonly replicas: number };
    }

    /** Which it is, and how often it was changed by anybody. */
    const identityOf = (set: ReplicaSet | undefined) => [
      set?.metadata.uid,
      set?.metadata.generation,
    ];

    async function replicaSets(name: Name): Promise<readonly ReplicaSet[]> {
      const path = `/apis/apps/v1/namespaces/${namespace.name}/replicasets?labelSelector=app%3D${name}`;
      return (await kubernetes.request("GET", path)).body.items;
    }

    test("each makes ReplicaSets for its own Rollouts, owned by its own group", async () => {
      for (const name of names) {
        const body = rollout(name, "example.com/app:1");
        const create = () => kubernetes.request("POST", rolloutPath(name), { body });
        await waitFor(async () => (await create()).status === 201, {
          what: `Rollouts of ${name} to be served`,
          ...patience,
        });
      }
      for (const name of names) {
        await reached(name, "healthy", ({ phase }) => phase === "Healthy");
        const [only, ...others] = await replicaSets(name);
        assert.equal(others.length, 0);
        assert.equal(only?.spec.replicas, 2);
        assert.equal(only?.metadata.ownerReferences[0]?.apiVersion, `${realOf(name)}/v1alpha1`);
      }
    });

    test("a canary of one moves, and the other stays untouched", async () => {
      const before = await kubernetes.request("GET", rolloutPath("team2", "team2"));
      const [untouched] = await replicaSets("team2");
      const body = { spec: rollout("team1", "example.com/app:2").spec };
      await kubernetes.request("PATCH", rolloutPath("team1", "team1"), { body });
      const paused = await reached(
        "team1",
        "paused at its second step",
        ({ phase, currentStepIndex, updatedReplicas }) =>
          phase === "Paused" && currentStepIndex === 1 && updatedReplicas === 1,
      );
      assert.notEqual(paused.status.currentPodHash, paused.status.stableRS);
      const counts = (await replicaSets("team1")).map(({ spec }) => spec.replicas);
      assert.deepEqual(counts, [1, 1]);
      const [still] = await replicaSets("team2");
      assert.deepEqual(identityOf(still), identityOf(untouched));
      const { body: after } = await kubernetes.request("GET", rolloutPath("team2", "team2"));
      const { phase, currentPodHash, stableRS } = after.status;
      const { currentPodHash: same, stableRS: stable } = before.body.status;
      assert.deepEqual([phase, currentPodHash, stableRS], ["Healthy", same, stable]);
      assert.deepEqual(after.spec, before.body.spec);
    });

    test("the canary is finished when it is resumed", async () => {
      const body = { status: { pauseConditions: null } };
      await kubernetes.request("PATCH", `${rolloutPath("team1", "team1")}/status`, { body });
      await reached(
        "team1",
        "healthy again",
        ({ phase, updatedReplicas }) => phase === "Healthy" && updatedReplicas === 2,
      );
    });

    test("of a deleted Rollout only its own ReplicaSets go", async () => {
      await kubernetes.request("DELETE", rolloutPath("team1", "team1"));
      await waitFor(async () => (await replicaSets("team1")).length === 0, {
        what: "the ReplicaSets of team1 to be gone",
        ...patience,
      });
      assert.equal((await replicaSets("team2")).length, 1);
      await reached("team2", "healthy still", ({ phase }) => phase === "Healthy");
    });
  },
);
