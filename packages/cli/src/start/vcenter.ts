import { randomBytes } from "node:crypto";
import { type Client, getOptional } from "@rookery/client";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { createCertificateAuthority, parseCertificate } from "@rookery/pki";
import { type Secret, secretText } from "../objects.ts";
import { applyObject } from "./bring-up.ts";
import { namespace, secret } from "./manifests.ts";
import { milestone, type Part } from "./part.ts";
import type { Simulator } from "./simulator.ts";

const home = "vcenter";
const place = { namespace: home, name: "vcenter" };
const port = 8989;
const labels = { app: "vcenter" };
const folder = "/etc/vcenter";
const lifetimeSeconds = 3650 * 24 * 3600;

/** The vCenter of clusters on vSphere: a simulated one, or the address of one that is missing. */
export interface VCenter {
  readonly server: string;
  readonly thumbprint: string;
  passwordOf(account: string): string;
}

type Service = KubeObject<{ readonly clusterIP?: string }>;

/** Creates the address, certificate and accounts that clusters name, or finds them. */
export async function reserveVCenter(
  client: Client,
  accounts: readonly string[],
): Promise<VCenter> {
  await applyObject(client, namespace(home));
  const { spec } = (await applyObject(client, serviceManifest())) as Service;
  const host = spec?.clusterIP ?? "";
  const secrets = client.resource<Secret>(builtInResources.secrets);
  const known = (await getOptional(secrets, place)) ?? (await createSecret(client, host, accounts));
  const text = (key: string) => secretText(known, key) ?? "";
  const passwords: Readonly<Record<string, string>> = JSON.parse(text("accounts.json"));
  return {
    server: `${host}:${port}`,
    thumbprint: parseCertificate(text("tls.crt")).fingerprints.sha1,
    passwordOf: (account) => passwords[account] ?? "",
  };
}

/** The pod of the vCenter, where the simulator can be built. */
export function vcenterPart(image: string, { program, doing }: Simulator): Part {
  return {
    name: "vCenter",
    what: "govmomi's simulator",
    preparing: doing,
    objects: program.then(({ path }) =>
      path === undefined ? [] : [deploymentManifest(image, path)],
    ),
    ready: [milestone(deploymentManifest(image, ""), "Available")],
    missing: program.then(({ missing }) => missing),
  };
}

function serviceManifest(): KubeObject {
  const spec = { selector: labels, ports: [{ name: "https", port, targetPort: port }] };
  return { apiVersion: "v1", kind: "Service", metadata: { ...place }, spec };
}

async function createSecret(
  client: Client,
  host: string,
  accounts: readonly string[],
): Promise<Secret> {
  const authority = await createCertificateAuthority({ commonName: "vcenter", lifetimeSeconds });
  const names = { commonName: "vcenter", ipAddresses: [host] };
  const leaf = await authority.issue({ ...names, usages: ["server"], lifetimeSeconds });
  const passwords = accounts.map((name) => [name, randomBytes(12).toString("base64url")]);
  const content = {
    "tls.crt": leaf.certificate,
    "tls.key": leaf.key,
    "accounts.json": JSON.stringify(Object.fromEntries(passwords)),
  };
  return (await applyObject(client, secret(place, content))) as Secret;
}

/** The command is a path of this machine: on a node of processes, images are names of programs. */
function deploymentManifest(image: string, program: string): KubeObject {
  const container = {
    name: "vcenter",
    image,
    command: [program],
    args: [
      `--listen=$(POD_IP):${port}`,
      `--cert=${folder}/tls.crt`,
      `--key=${folder}/tls.key`,
      `--accounts=${folder}/accounts.json`,
    ],
    env: [{ name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } }],
    readinessProbe: { tcpSocket: { port }, periodSeconds: 5 },
    volumeMounts: [{ name: "files", mountPath: folder, readOnly: true }],
  };
  const spec = {
    automountServiceAccountToken: false,
    containers: [container],
    volumes: [{ name: "files", secret: { secretName: place.name } }],
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { ...place },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    },
  };
}
