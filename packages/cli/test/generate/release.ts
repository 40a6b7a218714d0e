import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { clusterctlProgram, createTemporaryFolder, runCommand } from "@rookery/testing";

/** Files of a release of the infrastructure provider "small", and where they are found. */
export interface ReleaseFolder extends AsyncDisposable {
  readonly path: string;
  /** A configuration file that names the releases; for clusterctl and for us. */
  readonly config: string;
  readonly write: (name: string, text: string) => Promise<string>;
  /** What the real clusterctl prints. */
  readonly clusterctl: (args: readonly string[], run?: ClusterctlRun) => Promise<string>;
}

interface ClusterctlRun {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const version = "v1.0.0";

export async function createReleaseFolder(): Promise<ReleaseFolder> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await createTemporaryFolder("releases"));
  const write = async (name: string, text: string) => {
    const file = join(path, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  };
  for (const [name, text] of Object.entries(files)) {
    await write(`infrastructure-small/${version}/${name}`, text);
  }
  const url = join(path, `infrastructure-small/${version}/infrastructure-components.yaml`);
  const provider = `{name: small, type: InfrastructureProvider, url: ${url}}`;
  const config = await write(
    "clusterctl.yaml",
    `providers: [${provider}]\nFROM_FILE: of the file\n`,
  );
  const owned = stack.move();
  return {
    path,
    config,
    write,
    clusterctl: async (args, { input, env = {} } = {}) => {
      const plain = { CLUSTERCTL_DISABLE_VERSIONCHECK: "true", HOME: path, XDG_CONFIG_HOME: path };
      return runCommand(await clusterctlProgram(), [...args, "--config", config], {
        ...(input !== undefined && { stdin: input }),
        env: { PATH: process.env.PATH, ...plain, ...env },
      });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const clusterTemplate = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${ NAMESPACE }"
  annotations: {note: "a: b", long: "\${NOTE:=a text that is so long that it does not fit into one line of the file that is written}"}
spec:
  paused: \${PAUSED:=false}
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: "\${CLUSTER_NAME}-cp"}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: "\${CLUSTER_NAME}-cp"}
spec:
  replicas: \${CONTROL_PLANE_MACHINE_COUNT}
  version: \${KUBERNETES_VERSION:="v1.30.0"}
  files:
  - path: /etc/x
    content: |
      server = \${SERVER}
      file = \${FROM_FILE}
---
apiVersion: v1
kind: Secret
metadata: {name: account, namespace: elsewhere}
stringData: {workers: "\${WORKER_MACHINE_COUNT}", yes: "on", empty: ""}
---
apiVersion: v1
kind: Namespace
metadata: {name: any}
`;

const classTemplate = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: "\${CLUSTER_NAME}"}
spec:
  topology: {classRef: {name: quick}, version: "\${KUBERNETES_VERSION}"}
`;

const components = `apiVersion: v1
kind: Namespace
metadata: {name: small-system}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: smalls.infrastructure.cluster.x-k8s.io}
spec:
  group: infrastructure.cluster.x-k8s.io
  names: {kind: Small, plural: smalls}
  scope: Namespaced
  versions: []
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: small, namespace: small-system}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: small, namespace: small-system}
spec:
  selector: {matchLabels: {app: small}}
  template:
    metadata: {labels: {app: small}}
    spec:
      containers:
      - {name: manager, image: "registry.example/small:v1.0.0", args: ["--server=\${SERVER}", "--level=\${LEVEL:=1}"]}
`;

const files: Readonly<Record<string, string>> = {
  "cluster-template.yaml": clusterTemplate,
  "cluster-template-classy.yaml": classTemplate,
  "clusterclass-quick.yaml": `apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata: {name: quick}
spec: {server: "\${SERVER:=none}"}
`,
  "infrastructure-components.yaml": components,
  "metadata.yaml": `apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3
kind: Metadata
releaseSeries: [{major: 1, minor: 0, contract: v1beta2}]
`,
};
