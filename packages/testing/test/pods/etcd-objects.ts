import type { CertificateAuthority } from "@rookery/pki";

const labels = { app: "etcd" };
const pki = "/etc/etcd/pki";

/** One etcd with a serving certificate of the given common name: first the Secret, then the rest. */
export async function etcdObjects(ca: CertificateAuthority, commonName: string): Promise<object[]> {
  const pair = await ca.issue({ commonName, dnsNames: ["etcd-0.etcd"], usages: ["server"] });
  const stringData = { "tls.crt": pair.certificate, "tls.key": pair.key };
  const metadata = (name: string) => ({ name });
  const port = { name: "client", port: 2379, targetPort: "client" };
  return [
    { apiVersion: "v1", kind: "Secret", metadata: metadata("etcd-serving"), stringData },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: metadata("etcd"),
      spec: { clusterIP: "None", selector: labels, ports: [port], publishNotReadyAddresses: true },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: metadata("etcd-client"),
      spec: { type: "LoadBalancer", selector: labels, ports: [port] },
    },
    {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: metadata("etcd"),
      spec: {
        serviceName: "etcd",
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podSpec() },
        volumeClaimTemplates: [
          {
            metadata: { name: "data" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        ],
      },
    },
  ];
}

export const unknownImage = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "unknown" },
  spec: { containers: [{ name: "unknown", image: "nobody.knows/it:1" }] },
};

function podSpec() {
  const field = (fieldPath: string) => ({ valueFrom: { fieldRef: { fieldPath } } });
  return {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 5,
    containers: [
      {
        name: "etcd",
        image: "etcd:3",
        command: ["etcd"],
        args: [
          "--name=$(POD_NAME)",
          "--data-dir=/var/lib/etcd/data",
          "--unsafe-no-fsync",
          "--listen-client-urls=https://$(POD_IP):2379",
          "--advertise-client-urls=https://$(POD_NAME).etcd:2379",
          "--listen-peer-urls=http://$(POD_IP):2380",
          // Only where its own name is known does it start.
          "--initial-advertise-peer-urls=http://$(POD_NAME).etcd:2380",
          "--initial-cluster=$(POD_NAME)=http://$(POD_NAME).etcd:2380",
          `--cert-file=${pki}/tls.crt`,
          `--key-file=${pki}/tls.key`,
          "--listen-metrics-urls=http://$(POD_IP):2381",
        ],
        env: [
          { name: "POD_NAME", ...field("metadata.name") },
          { name: "POD_IP", ...field("status.podIP") },
        ],
        ports: [
          { name: "client", containerPort: 2379 },
          { name: "metrics", containerPort: 2381 },
        ],
        startupProbe: { httpGet: { path: "/readyz", port: "metrics" }, failureThreshold: 30 },
        readinessProbe: { httpGet: { path: "/readyz", port: "metrics" }, periodSeconds: 1 },
        livenessProbe: { tcpSocket: { port: "client" }, periodSeconds: 1 },
        volumeMounts: [
          { name: "data", mountPath: "/var/lib/etcd" },
          { name: "serving", mountPath: pki },
        ],
      },
    ],
    volumes: [{ name: "serving", secret: { secretName: "etcd-serving" } }],
  };
}
