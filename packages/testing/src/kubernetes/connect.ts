import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { loadCertificateAuthority } from "@rookery/pki";
import type {
  ApiServerControl,
  Kubernetes,
  KubernetesDescription,
  ServiceAccount,
  TestNamespace,
  User,
} from "../kubernetes.ts";
import { runCommand } from "../process/command.ts";
import { waitFor } from "../process/wait-for.ts";
import { applyCrd } from "./apply-crd.ts";
import { readSecrets, type Secrets } from "./description.ts";
import { componentEnvironment } from "./environment.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { Transport } from "./transport.ts";

/** The differences between a private Kubernetes and a shared one. */
export interface Ownership {
  readonly apiServer: ApiServerControl;
  dispose(): Promise<void>;
}

/** Connects to a running Kubernetes, with the operations that its owner provides. */
export async function connectKubernetes(
  description: KubernetesDescription,
  ownership: Ownership,
): Promise<Kubernetes> {
  const secrets = await readSecrets(description.folder);
  const { server, folder } = description;
  const transport = new Transport({ server, ...secrets });
  const kubeconfig = join(folder, "kubeconfig");
  const { flavour, version } = description;
  return {
    flavour,
    version,
    server,
    ca: secrets.ca,
    admin: secrets.admin,
    kubeconfig,
    logs: join(folder, "logs"),
    description,
    apiServer: ownership.apiServer,
    request: (method, path, options) => transport.request(method, path, options),
    watch: (path, options) => transport.watch(path, options),
    applyCrd: (crd) => applyCrd(transport, crd),
    kubectl: (args, options) =>
      runCommand(description.kubectl, [...kubectlArgs(folder), ...args], {
        ...options,
        env: componentEnvironment(),
      }),
    createNamespace: (prefix) => createNamespace(transport, description, prefix),
    user: (options) => createUser(description, secrets, { groups: [], ...options }),
    serviceAccount: (key) => connectServiceAccount(transport, { description, ca: secrets.ca }, key),
    async [Symbol.asyncDispose]() {
      await using _ = transport;
      await ownership.dispose();
    },
  };
}

function kubectlArgs(folder: string): string[] {
  return [
    `--kubeconfig=${join(folder, "kubeconfig")}`,
    `--cache-dir=${join(folder, "kubectl-cache")}`,
  ];
}

async function createNamespace(
  transport: Transport,
  description: KubernetesDescription,
  prefix: string,
): Promise<TestNamespace> {
  const created = await transport.request("POST", "/api/v1/namespaces", {
    body: { apiVersion: "v1", kind: "Namespace", metadata: { generateName: `${prefix}-` } },
  });
  if (created.status !== 201) {
    throw new Error(`could not create namespace ${prefix}: ${created.body.message}`);
  }
  const name: string = created.body.metadata.name;
  const path = `/api/v1/namespaces/${name}`;
  // Pods are refused until their service account exists.
  const account = `${path}/serviceaccounts/default`;
  if (description.controllerManager) {
    await waitFor(async () => (await transport.request("GET", account)).status === 200, {
      what: `service account default in namespace ${name}`,
    });
  }
  return {
    name,
    async [Symbol.asyncDispose]() {
      await transport.request("DELETE", path);
    },
  };
}

async function createUser(
  description: KubernetesDescription,
  secrets: Secrets,
  options: { readonly name: string; readonly groups: readonly string[] },
): Promise<User> {
  const { name, groups } = options;
  const ca = await loadCertificateAuthority({ certificate: secrets.ca, key: secrets.caKey });
  const pair = await ca.issue({ commonName: name, organizations: groups, usages: ["client"] });
  const { certificate, key } = pair;
  const file = `kubeconfig-${randomBytes(6).toString("hex")}`;
  const kubeconfig = join(description.folder, file);
  const cluster = { server: description.server, ca: secrets.ca };
  await writeKubeconfig(kubeconfig, cluster, { name, certificate, key });
  return { name, groups, certificate, key, kubeconfig };
}

async function connectServiceAccount(
  transport: Transport,
  { description, ca }: { readonly description: KubernetesDescription; readonly ca: string },
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<ServiceAccount> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const spec = { expirationSeconds: 4 * 3600 };
  const { status, body } = await transport.request("POST", path, {
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec },
  });
  if (status !== 201) {
    throw new Error(`could not create a token of ${namespace}/${name}: ${body.message}`);
  }
  const file = `kubeconfig-${randomBytes(6).toString("hex")}`;
  const kubeconfig = join(description.folder, file);
  await writeKubeconfig(
    kubeconfig,
    { server: description.server, ca },
    { name: `${namespace}-${name}`, token: body.status.token },
  );
  return { namespace, name, kubeconfig };
}
