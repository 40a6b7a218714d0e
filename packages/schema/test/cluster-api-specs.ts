import type { JSONObject } from "@rookery/schema";

interface ClusterApiSpec {
  readonly resource: string;
  readonly spec: JSONObject;
}

const disk = (fields: JSONObject): ClusterApiSpec => ({
  resource: "/kubeadmconfigs",
  spec: { spec: { diskSetup: { partitions: [{ device: "/dev/sda", ...fields }] } } },
});

const healthCheck = (type: string): ClusterApiSpec => ({
  resource: "/machinehealthchecks",
  spec: {
    spec: {
      clusterName: "c",
      selector: { matchLabels: { a: "b" } },
      checks: {
        unhealthyMachineConditions: [{ type, status: "False", timeoutSeconds: 1 }],
      },
    },
  },
});

/** The rules of Cluster API, kept and broken, by what they say. */
export const clusterApiSpecs: Readonly<Record<string, ClusterApiSpec>> = {
  "a partition has a layout": disk({ layout: true }),
  "a partition has a disk layout": disk({ diskLayout: [{ percentage: 50 }] }),
  "a partition has both": disk({ layout: true, diskLayout: [{ percentage: 50 }] }),
  "a partition has neither": disk({}),
  "a partition's type is known": disk({
    diskLayout: [{ percentage: 50, partitionType: "LinuxSwap" }],
  }),
  "a partition's type is a GUID": disk({
    diskLayout: [{ percentage: 50, partitionType: "0fc63daf-8483-4772-8e79-3d69d8477de4" }],
  }),
  "a partition's type is neither": disk({
    diskLayout: [{ percentage: 50, partitionType: "ext4" }],
  }),
  "a health check asks for a condition of its own": healthCheck("Healthy"),
  "a health check asks for the condition Ready": healthCheck("Ready"),
  "a health check asks for the condition Available": healthCheck("Available"),
  "patches have different names": {
    resource: "/clusterclasses",
    spec: classWith({ patches: [patch("a"), patch("b")] }),
  },
  "patches have the same name": {
    resource: "/clusterclasses",
    spec: classWith({ patches: [patch("a"), patch("b"), patch("a")] }),
  },
  "a cluster's network ranges are there twice": {
    resource: "/clusters",
    spec: {
      spec: {
        clusterNetwork: { pods: { cidrBlocks: ["10.0.0.0/8", "10.0.0.0/8"] } },
        controlPlaneRef: { apiGroup: "a.b", kind: "C", name: "c" },
      },
    },
  },
  "extra arguments have the same name and value": {
    resource: "/kubeadmconfigs",
    spec: {
      spec: {
        clusterConfiguration: {
          apiServer: {
            extraArgs: [
              { name: "v", value: "1" },
              { name: "v", value: "1" },
            ],
          },
        },
      },
    },
  },
  "images and readiness gates are there twice": {
    resource: "/machines",
    spec: {
      spec: {
        clusterName: "c",
        bootstrap: { dataSecretName: "s" },
        infrastructureRef: { apiGroup: "a.b", kind: "M", name: "m" },
        readinessGates: [{ conditionType: "A" }, { conditionType: "A" }],
      },
    },
  },
};

function classWith(fields: JSONObject): JSONObject {
  const templateRef = { apiVersion: "a.b/v1", kind: "T", name: "t" };
  return {
    spec: { controlPlane: { templateRef }, infrastructure: { templateRef }, ...fields },
  };
}

function patch(name: string): JSONObject {
  const selector = {
    apiVersion: "a.b/v1",
    kind: "T",
    matchResources: { infrastructureCluster: true },
  };
  return {
    name,
    definitions: [{ selector, jsonPatches: [{ op: "add", path: "/spec/a", value: 1 }] }],
  };
}
