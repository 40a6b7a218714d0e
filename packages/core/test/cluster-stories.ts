import { createCertificateAuthority } from "@rookery/pki";
import { clusters, secrets } from "./core-resources.ts";
import { aReadyCluster, endpoint, free, held, references, referenceTo } from "./parts.ts";
import { testCluster, testControlPlane } from "./provider-kinds.ts";
import type { Snapshot } from "./scene.ts";
import { conditionOf, type Story } from "./story.ts";

const cluster = (shown: Snapshot, type: string) => conditionOf(shown, "Cluster/c", type);
const isOwned = (shown: Snapshot, name: string) =>
  Boolean(shown[name]?.metadata.ownerReferences?.length);
const lastTransitionTime = "2026-01-01T00:00:00Z";
const observedGeneration = (shown: Snapshot) =>
  (shown["Cluster/c"]?.status as { observedGeneration?: number } | undefined)?.observedGeneration;

const provision: Story = [
  {
    does: "a cluster names parts that are not there",
    act: (scene) => scene.create(clusters, "c", { spec: references }),
    until: (shown) => cluster(shown, "InfrastructureReady") === "False ObjectDoesNotExist",
  },
  {
    does: "its parts come",
    act: async (scene) => {
      await scene.addKubeconfig("c");
      await scene.create(testCluster, "infra", { metadata: held });
      await scene.create(testControlPlane, "cp", { metadata: held, spec: { replicas: 3 } });
      await scene.nudge("c");
    },
    until: (shown) => isOwned(shown, "TestCluster/infra") && isOwned(shown, "TestControlPlane/cp"),
  },
  {
    does: "its infrastructure is provisioned",
    act: async (scene) => {
      await scene.patch(testCluster, "infra", { spec: { controlPlaneEndpoint: endpoint } });
      await scene.report(testCluster, "infra", {
        initialization: { provisioned: true },
        failureDomains: [{ name: "a", controlPlane: true }, { name: "b" }],
      });
    },
    until: (shown) => cluster(shown, "RemoteConnectionProbe") === "True ProbeSucceeded",
  },
  {
    does: "its control plane is initialized",
    act: (scene) =>
      scene.report(testControlPlane, "cp", {
        initialization: { controlPlaneInitialized: true },
        replicas: 1,
        readyReplicas: 1,
        availableReplicas: 1,
        upToDateReplicas: 1,
        conditions: [
          {
            type: "ScalingUp",
            status: "True",
            reason: "ScalingUp",
            message: "Scaling up from 1 to 3 replicas",
            lastTransitionTime,
          },
        ],
      }),
    until: (shown) => cluster(shown, "Available") === "True Available",
  },
  {
    does: "its control plane says that it is not available",
    act: (scene) =>
      scene.report(testControlPlane, "cp", {
        conditions: [
          {
            type: "Available",
            status: "False",
            reason: "NotAvailable",
            message: "* etcd: 1 of 3\n* api: 2 of 3",
            lastTransitionTime,
          },
          {
            type: "RollingOut",
            status: "False",
            reason: "NotRollingOut",
            message: "",
            lastTransitionTime,
          },
        ],
      }),
    until: (shown) => cluster(shown, "Available") === "False NotAvailable",
  },
  {
    does: "it is deleted, and its control plane takes its time",
    act: (scene) => scene.remove(clusters, "c"),
    until: (shown) =>
      cluster(shown, "Deleting") === "True WaitingForControlPlaneDeletion" &&
      Boolean(shown["TestControlPlane/cp"]?.metadata.deletionTimestamp),
  },
  {
    does: "its control plane is gone, and its infrastructure takes its time",
    act: (scene) => scene.patch(testControlPlane, "cp", free),
    until: (shown) =>
      cluster(shown, "Deleting") === "True WaitingForInfrastructureDeletion" &&
      Boolean(shown["TestCluster/infra"]?.metadata.deletionTimestamp),
  },
  {
    does: "its infrastructure is gone",
    act: (scene) => scene.patch(testCluster, "infra", free),
    until: (shown) => !shown["Cluster/c"],
  },
];

const pause: Story = [
  {
    does: "a cluster is made that is paused",
    act: async (scene) => {
      await scene.create(testCluster, "infra", { spec: { controlPlaneEndpoint: endpoint } });
      await scene.report(testCluster, "infra", { initialization: { provisioned: true } });
      await scene.create(testControlPlane, "cp");
      await scene.create(clusters, "c", { spec: { ...references, paused: true } });
    },
    until: (shown) => cluster(shown, "Paused") === "True Paused",
  },
  {
    does: "it is paused by an annotation, too",
    act: (scene) =>
      scene.patch(clusters, "c", { metadata: { annotations: { "cluster.x-k8s.io/paused": "" } } }),
    until: (shown) => cluster(shown, "Paused") === "True Paused",
  },
  {
    does: "it is not paused any more",
    act: (scene) =>
      scene.patch(clusters, "c", {
        metadata: { annotations: { "cluster.x-k8s.io/paused": null } },
        spec: { paused: null },
      }),
    until: (shown) => cluster(shown, "ControlPlaneInitialized") === "False NotInitialized",
  },
  {
    does: "it is paused again",
    act: (scene) => scene.patch(clusters, "c", { spec: { paused: true } }),
    until: (shown) => cluster(shown, "Paused") === "True Paused",
  },
  {
    // Only now: a core that has not heard of the pause yet would still take it up.
    does: "something of it changes while it is paused",
    act: (scene) =>
      scene.report(testControlPlane, "cp", { initialization: { controlPlaneInitialized: true } }),
    until: (shown) => cluster(shown, "Paused") === "True Paused",
  },
];

const alone: Story = [
  {
    does: "a cluster without a control plane is made",
    act: async (scene) => {
      const authority = await createCertificateAuthority({ commonName: "kubernetes" });
      const encode = (text: string) => Buffer.from(text).toString("base64");
      await scene.create(secrets, "c-ca", {
        metadata: { labels: { "cluster.x-k8s.io/cluster-name": "c" } },
        type: "cluster.x-k8s.io/secret",
        data: { "tls.crt": encode(authority.certificate), "tls.key": encode(authority.key) },
      });
      await scene.create(testCluster, "infra", { spec: { controlPlaneEndpoint: endpoint } });
      await scene.report(testCluster, "infra", { initialization: { provisioned: true } });
      const { infrastructureRef } = references;
      await scene.create(clusters, "c", { spec: { infrastructureRef } });
    },
    until: (shown) =>
      Boolean(shown["Secret/c-kubeconfig"]) &&
      observedGeneration(shown) === shown["Cluster/c"]?.metadata.generation,
  },
];

const failing: Story = [
  {
    does: "infrastructure says why it is not ready",
    act: async (scene) => {
      await scene.create(testCluster, "infra");
      await scene.report(testCluster, "infra", {
        failureReason: "NoQuota",
        failureMessage: "there is no more",
        conditions: [
          { type: "Ready", status: "False", message: "no quota is left", lastTransitionTime },
        ],
      });
      const { infrastructureRef } = references;
      await scene.create(clusters, "c", { spec: { infrastructureRef } });
    },
    until: (shown) => cluster(shown, "InfrastructureReady") === "False NoReasonReported",
  },
  {
    does: "it is there in the end",
    act: (scene) =>
      scene.report(testCluster, "infra", {
        failureReason: null,
        failureMessage: null,
        initialization: { provisioned: true },
        conditions: [{ type: "Ready", status: "True", lastTransitionTime }],
      }),
    until: (shown) => cluster(shown, "InfrastructureReady") === "True Ready",
  },
  {
    does: "it is deleted though the cluster is there",
    act: (scene) => scene.remove(testCluster, "infra"),
    until: (shown) => cluster(shown, "InfrastructureReady") === "False ObjectDeleted",
  },
];

const foreign: Story = [
  {
    does: "a cluster names a kind that nobody serves",
    act: (scene) =>
      scene.create(clusters, "c", {
        spec: { infrastructureRef: { ...referenceTo(testCluster, "infra"), kind: "OtherCluster" } },
      }),
    until: (shown) => cluster(shown, "InfrastructureReady") === "Unknown InternalError",
  },
  {
    does: "it is corrected",
    act: async (scene) => {
      await scene.create(testCluster, "infra");
      const { infrastructureRef } = references;
      await scene.patch(clusters, "c", { spec: { infrastructureRef } });
    },
    until: (shown) => cluster(shown, "InfrastructureReady") === "False NotReady",
  },
];

const lost: Story = [
  aReadyCluster,
  {
    does: "its control plane is deleted though it is there",
    act: async (scene) => {
      await scene.remove(testControlPlane, "cp");
      await scene.patch(testControlPlane, "cp", free);
    },
    until: (shown) => cluster(shown, "ControlPlaneAvailable") === "False ObjectDeleted",
  },
];

export const clusterStories = { provision, pause, alone, failing, foreign, lost };
