import type { ManagementCluster } from "./management.ts";
import {
  condition,
  controlPlane,
  core,
  healthy,
  infrastructure,
  longAgo,
  older,
  Scene,
} from "./scene.ts";

const olderStill = "2001-01-01T00:00:00Z";

const longMessage =
  "* Machine md-0-c:\n  * InfrastructureReady: the account has no right to make virtual machines in the folder " +
  "that the template names, and there is nobody who could be asked about it right now\n* Machine md-0-d: waiting";

/** A control plane of three, two deployments, failing, going, paused and orphaned machines, a resource set. */
export async function makeFleet(management: ManagementCluster, namespace: string) {
  const scene = new Scene(management, namespace, "fleet");
  await scene.infrastructure("InfraCluster", "fleet", [
    { type: "Ready", status: "True" },
    condition("Extra", { status: "Unknown", message: "somebody has to look" }),
  ]);
  await scene.cluster(
    {
      infrastructureRef: { apiGroup: infrastructure, kind: "InfraCluster", name: "fleet" },
      controlPlaneRef: { apiGroup: controlPlane, kind: "KubeadmControlPlane", name: "fleet-cp" },
    },
    {
      controlPlane: { desiredReplicas: 3, replicas: 3, readyReplicas: 3, availableReplicas: 3 },
      workers: { desiredReplicas: 6, replicas: 6, readyReplicas: 4, upToDateReplicas: 6 },
      conditions: [
        condition("Available", { status: "False", reason: "NotAvailable", message: longMessage }),
        condition("Paused", { status: "False", reason: "NotPaused" }),
        condition("ScalingUp", { message: "from 5 to 6" }),
        condition("Remediating", { status: "Unknown" }),
      ],
      ...older(
        { ...condition("Ready", { status: "False", message: longMessage }), severity: "Warning" },
        condition("ControlPlaneInitialized"),
      ),
    },
  );
  const plane = await scene.make(`${controlPlane}/v1beta2`, "KubeadmControlPlane", "fleet-cp", {
    spec: {
      version: "v1.34.0",
      replicas: 3,
      kubeadmConfigSpec: { clusterConfiguration: { certificatesDir: "/x" } },
      machineTemplate: {
        spec: {
          infrastructureRef: {
            apiGroup: infrastructure,
            kind: "InfraMachineTemplate",
            name: "fleet-cp",
          },
        },
      },
    },
    status: {
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      upToDateReplicas: 2,
      conditions: [condition("Available", { message: "all is well" }), condition("RollingOut")],
    },
  });
  const labels = { "cluster.x-k8s.io/control-plane": "" };
  for (const [index, lastTransitionTime] of [longAgo, olderStill, longAgo].entries()) {
    const conditions = healthy({ lastTransitionTime });
    await scene.machine(`fleet-cp-${index}`, plane, { labels, conditions });
  }
  await makeWorkers(scene);
  await scene.make("addons.cluster.x-k8s.io/v1beta2", "ClusterResourceSetBinding", "fleet", {
    spec: {
      clusterName: "fleet",
      bindings: ["network", "storage"].map((clusterResourceSetName) => ({
        clusterResourceSetName,
      })),
    },
  });
}

async function makeWorkers(scene: Scene): Promise<void> {
  const first = await scene.deployment("md-0", 5, {
    replicas: 4,
    readyReplicas: 2,
    availableReplicas: 2,
    upToDateReplicas: 4,
    conditions: [
      condition("Available", { status: "False", reason: "NotAll", message: longMessage }),
    ],
  });
  await scene.machine("md-0-a", first.set);
  await scene.machine("md-0-b", first.set);
  await scene.machine("md-0-c", first.set, {
    conditions: [
      condition("Ready", { status: "False", reason: "NotReady", message: longMessage }),
      condition("UpToDate"),
    ],
    infra: [condition("Ready", { status: "False", reason: "NoRights", message: "no\nrights" })],
  });
  const going = await scene.machine("md-0-d", first.set, {
    conditions: [condition("Ready", { status: "Unknown", reason: "Going" })],
    infra: [condition("Ready", { status: "Unknown", reason: "Going" })],
    finalizers: ["test.example/kept"],
  });
  await scene.delete(going);
  const second = await scene.deployment("md-1", 1, {
    conditions: [condition("Available")],
  });
  await scene.machine("md-1-a", second.set, { conditions: [] });
  await scene.machine("lonely", undefined);
}

/** Paused, without a control plane of its own, and with machines that nobody controls; and one that goes. */
export async function makeOdd(management: ManagementCluster, namespace: string): Promise<void> {
  const paused = new Scene(management, namespace, "paused");
  await paused.cluster(
    {
      paused: true,
      infrastructureRef: { apiGroup: infrastructure, kind: "InfraCluster", name: "not-there" },
    },
    { conditions: [condition("Paused"), condition("Available", { status: "Unknown" })] },
  );
  const labels = { "cluster.x-k8s.io/control-plane": "" };
  await paused.machine("paused-cp-0", undefined, { labels });

  const going = new Scene(management, namespace, "going");
  const finalizers = ["test.example/kept"];
  const infra = await going.infrastructure("InfraCluster", "going", [], { finalizers });
  const cluster = await going.cluster(
    { infrastructureRef: { apiGroup: infrastructure, kind: "InfraCluster", name: "going" } },
    { conditions: [condition("Deleting", { reason: "Waiting", message: "for\nmachines" })] },
    finalizers,
  );
  await going.make(core, "MachinePool", "pool", {
    spec: {
      clusterName: "going",
      replicas: 2,
      template: {
        spec: {
          clusterName: "going",
          infrastructureRef: { apiGroup: infrastructure, kind: "InfraCluster", name: "going" },
          bootstrap: { dataSecretName: "data" },
        },
      },
    },
    status: { conditions: [condition("Ready")] },
  });
  await going.delete(cluster);
  await going.delete(infra);
}
