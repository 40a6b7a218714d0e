import { type KubeObject, restrictedContainer, restrictedPod } from "@rookery/kube";

/** Namespaces whose answers by a real kube-apiserver lie in testdata/pod-security-verdicts.json. */
export const securedNamespaces: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "secured-baseline": { enforce: "baseline", warn: "restricted" },
  "secured-restricted": { enforce: "restricted" },
  "secured-old": { enforce: "restricted", "enforce-version": "v1.18" },
  "secured-warning": { warn: "baseline", "warn-version": "v1.33" },
};

const good = { name: "main", image: "i", securityContext: restrictedContainer };
const container = (more: object) => ({ ...good, ...more });
const secured = (more: object) =>
  container({ securityContext: { ...restrictedContainer, ...more } });

interface Row {
  readonly spec: object;
  readonly annotations?: Readonly<Record<string, string>>;
}

const specOf = (spec: object): Row => ({
  spec: { containers: [good], securityContext: restrictedPod, ...spec },
});
const withContainer = (...containers: readonly object[]): Row => specOf({ containers });
const withContext = (context: object): Row =>
  specOf({ securityContext: { ...restrictedPod, ...context } });

/** Pods that are secure, or not in one way. */
const rows: Readonly<Record<string, Row>> = {
  good: specOf({}),
  "nothing said": { spec: { containers: [{ name: "main", image: "i" }] } },
  "nothing said of two": {
    spec: {
      containers: [
        { name: "a", image: "i" },
        { name: "b", image: "i" },
      ],
      initContainers: [{ name: "c", image: "i" }],
    },
  },
  "the host's namespaces": specOf({ hostNetwork: true, hostPID: true, hostIPC: true }),
  "a privileged container": withContainer(
    secured({ privileged: true, allowPrivilegeEscalation: true }),
  ),
  capabilities: withContainer(
    secured({ capabilities: { drop: ["ALL"], add: ["SYS_TIME", "NET_ADMIN", "CHOWN"] } }),
  ),
  "capabilities that are kept": withContainer(
    secured({ capabilities: { drop: ["CHOWN"], add: ["NET_BIND_SERVICE"] } }),
  ),
  "a path of the host": specOf({
    volumes: [
      { name: "a", hostPath: { path: "/a" } },
      { name: "b", nfs: { server: "s", path: "/b" } },
      { name: "c", emptyDir: {} },
    ],
  }),
  "ports of the host": withContainer(
    container({
      ports: [
        { containerPort: 80, hostPort: 9090 },
        { containerPort: 81, hostPort: 8080 },
      ],
    }),
  ),
  "another host in a probe": withContainer(
    container({
      livenessProbe: { httpGet: { port: 80, host: "b.example.com" } },
      lifecycle: { preStop: { tcpSocket: { port: 80, host: "a.example.com" } } },
    }),
  ),
  "an AppArmor profile": withContext({ appArmorProfile: { type: "Unconfined" } }),
  "an AppArmor profile of a container": withContainer(
    secured({ appArmorProfile: { type: "Unconfined" } }),
  ),
  "types of SELinux": withContainer(
    secured({ seLinuxOptions: { type: "spc_t", user: "u", role: "r" } }),
    { ...secured({ seLinuxOptions: { type: "container_engine_t" } }), name: "engine" },
  ),
  "no seccomp": withContext({ seccompProfile: { type: "Unconfined" } }),
  "no seccomp of a container": withContainer(secured({ seccompProfile: { type: "Unconfined" } })),
  sysctls: withContext({
    sysctls: [
      { name: "kernel.msgmax", value: "1" },
      { name: "net.ipv4.tcp_rmem", value: "1" },
      { name: "net.ipv4.tcp_syncookies", value: "1" },
    ],
  }),
  "root by its number": withContext({ runAsUser: 0 }),
  "root in a container": withContainer(secured({ runAsUser: 0 })),
  "root allowed": withContext({ runAsNonRoot: false }),
  "root allowed in a container": withContainer(secured({ runAsNonRoot: false })),
  "escalation allowed": withContainer(secured({ allowPrivilegeEscalation: true })),
};

/** Every pod in every namespace, and what makes pods. */
export const podRows: ReadonlyMap<string, KubeObject> = new Map(
  Object.entries(rows).flatMap(([name, { spec, annotations }]) =>
    Object.keys(securedNamespaces).flatMap((namespace): [string, KubeObject][] => [
      [`${name} in ${namespace}`, podOf(namespace, spec, annotations)],
    ]),
  ),
);

export const templateRows: ReadonlyMap<string, KubeObject> = new Map(
  Object.keys(securedNamespaces).map((namespace) => [
    `a Deployment in ${namespace}`,
    deploymentOf(namespace, rows["nothing said"]?.spec ?? {}),
  ]),
);

function podOf(namespace: string, spec: object, annotations?: Row["annotations"]): KubeObject {
  const metadata = { name: "p", namespace, ...(annotations && { annotations }) };
  return { apiVersion: "v1", kind: "Pod", metadata, spec };
}

function deploymentOf(namespace: string, spec: object): KubeObject {
  const labels = { app: "d" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "d", namespace },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

/** Labels of namespaces that are wrong. */
export const labelRows: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "no such level": { enforce: "strict" },
  "no such version": { enforce: "baseline", "enforce-version": "v2.0" },
  "all of it": { audit: "x", "audit-version": "1", warn: "y", "warn-version": "latest.1" },
};

export function labelsOf(modes: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(modes);
  return Object.fromEntries(
    entries.map(([mode, value]) => [`pod-security.kubernetes.io/${mode}`, value]),
  );
}
