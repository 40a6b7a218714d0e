import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createGroupMapping } from "@rookery/group-suffix";
import { createCertificateAuthority } from "@rookery/pki";
import { injectProxy } from "@rookery/proxy";
import { type Child, type Kubernetes, startChild, waitFor } from "@rookery/testing";
import {
  ownAddress,
  type ProxyProcess,
  startProxyProcess,
  writeAccountKubeconfig,
} from "./operators-world.ts";

/** What the app calls its group. */
export const virtual = "aviary.example.com";

/** One instance of the app, with its objects in the cluster. */
export interface FlockInstance extends AsyncDisposable {
  readonly name: string;
  /** What the cluster calls the app's group. */
  readonly group: string;
  /** By which the app itself asks. */
  readonly kubeconfig: string;
  readonly children: readonly Child[];
}

export interface FlockInstanceOptions {
  readonly kubernetes: Kubernetes;
  readonly folder: string;
  readonly program: string;
  /** Also its namespace. */
  readonly name: string;
  readonly group: string;
  /** The app's own manifests. */
  readonly manifests: readonly unknown[];
  /** Which of the instances it is. */
  readonly index: number;
}

/** Installs the app and runs it: through a proxy unless the group is the app's own. */
export async function startFlockInstance(options: FlockInstanceOptions): Promise<FlockInstance> {
  const { kubernetes, folder, name, group } = options;
  await using stack = new AsyncDisposableStack();
  const host = ownAddress(options.index);
  const webhooks = { url: `https://${host}:9443`, ca: "" };
  const certificates = join(folder, `${name}-certs`);
  webhooks.ca = await writeCertificate(certificates, host);
  const documents = render(options);
  const first = documents.filter(({ kind }) => !callers.includes(kind));
  await apply(kubernetes, first);
  const account = { namespace: name, name: "aviary" };
  const upstream = await writeAccountKubeconfig(kubernetes, account, folder);
  const settings = { name, folder, upstream, webhooks: webhooks.url };
  const proxy: ProxyProcess | undefined =
    group === virtual
      ? undefined
      : stack.use(await startProxyProcess({ ...settings, mapping: `${virtual}=${group}` }));
  const calling = documents.filter(({ kind }) => callers.includes(kind));
  await apply(kubernetes, callByUrl(calling, proxy?.callbacks ?? webhooks));
  const kubeconfig = proxy?.kubeconfig ?? upstream;
  const app = stack.use(await startApp(options, { kubeconfig, host, certificates }));
  const owned = stack.move();
  const children = [app, ...(proxy ? [proxy.child] : [])];
  return { name, group, kubeconfig, children, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

interface Document {
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** What makes the API server call the app. */
const callers = [
  "CustomResourceDefinition",
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
];

/** The manifests of the instance, without those that only a node could do something with. */
function render({ manifests, name, group }: FlockInstanceOptions): readonly Document[] {
  // Without a mapping nothing is renamed but the namespace.
  const placed = JSON.parse(JSON.stringify(manifests).replaceAll("aviary-system", name));
  const documents =
    group === virtual
      ? placed
      : injectProxy(manifests, {
          instance: name,
          namespace: name,
          mapping: createGroupMapping([{ virtual, real: group, match: "group" }]),
          image: "none",
        }).documents;
  return (documents as Document[]).filter(({ kind }) => !["Deployment", "Service"].includes(kind));
}

/** The API server is no pod, and calls the app at its address. */
function callByUrl(
  documents: readonly Document[],
  target: { readonly url: string; readonly ca: string },
): readonly Document[] {
  const caBundle = Buffer.from(target.ca).toString("base64");
  return JSON.parse(JSON.stringify(documents), (key, value) =>
    key === "clientConfig" ? { url: `${target.url}${value.service.path}`, caBundle } : value,
  );
}

async function apply(kubernetes: Kubernetes, documents: readonly Document[]): Promise<void> {
  const stdin = JSON.stringify({ apiVersion: "v1", kind: "List", items: documents });
  await kubernetes.kubectl(["apply", "--server-side", "--filename=-"], { stdin });
}

async function writeCertificate(folder: string, host: string): Promise<string> {
  const authority = await createCertificateAuthority({ commonName: "aviary" });
  const names = { commonName: "aviary", ipAddresses: [host] };
  const { certificate, key } = await authority.issue({ ...names, usages: ["server"] });
  await mkdir(folder);
  await writeFile(join(folder, "tls.crt"), certificate);
  await writeFile(join(folder, "tls.key"), key, { mode: 0o600 });
  return authority.certificate;
}

async function startApp(
  { program, name, folder }: FlockInstanceOptions,
  at: { readonly kubeconfig: string; readonly host: string; readonly certificates: string },
): Promise<Child> {
  const child = await startChild({
    name: `aviary of ${name}`,
    command: program,
    args: [
      ...[`--kubeconfig=${at.kubeconfig}`, `--identity=${name}`],
      ...[`--leader-election-namespace=${name}`, `--health-addr=${at.host}:8081`],
      ...[`--webhook-host=${at.host}`, `--cert-dir=${at.certificates}`],
    ],
    log: join(folder, `${name}-app.log`),
  });
  await waitFor(
    async () => {
      child.assertRunning();
      return (await fetch(`http://${at.host}:8081/readyz`)).status === 200;
    },
    { what: `${child.name} to be ready`, timeout: 120_000 },
  );
  return child;
}
