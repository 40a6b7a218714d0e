import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, loadConfig } from "@rookery/client";
import { configMapOf, providerLabel } from "@rookery/components";
import { builtInResources } from "@rookery/kube";
import { createCertificateAuthority } from "@rookery/pki";
import {
  type Child,
  clusterApiProviders,
  clusterApiRelease,
  createTemporaryFolder,
  freePort,
  type Kubernetes,
  PretendKubelet,
  startChild,
  startKubernetes,
  waitFor,
} from "@rookery/testing";
import { keyOf, selectorOf } from "../../test/cluster-api-cluster.ts";
import { applyCertManager, applyInventoryCrd } from "../../test/clusterctl.ts";
import { AuditLog } from "./audit-log.ts";
import type { OperatorProgram, ProgramRun } from "./programs.ts";
import type { InstallReport } from "./report.ts";
import { serverAtRest } from "./server-at-rest.ts";
import { version } from "./version.ts";

/** How long an operator has to be silent to be at rest. */
const quietMs = 4000;

/** Installs three providers on a Kubernetes of its own, then starts the operator once more. */
export async function measureInstall(program: OperatorProgram): Promise<InstallReport> {
  await using kubernetes = await startKubernetes({ private: true, audit: "Metadata" });
  await using client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
  await using _ = new PretendKubelet(client);
  await prepare(kubernetes, program);
  await using folder = await createTemporaryFolder("operator-bench");
  const user = await kubernetes.user({ name: "operator", groups: ["system:masters"] });
  const audit = new AuditLog(join(kubernetes.logs, "audit.log"), user.name);
  const start = () => startOperator(program, { kubeconfig: user.kubeconfig, folder: folder.path });

  const installed = await withChild(await start(), async (operator) => {
    await serverAtRest(kubernetes);
    const begun = performance.now();
    await declare(kubernetes, program);
    await waitUntilReady(kubernetes, program);
    const milliseconds = performance.now() - begun;
    await audit.quiet(quietMs);
    return { milliseconds, ...(await usageOf(operator)) };
  });
  const writes = await audit.writes();
  await withChild(await start(), () => audit.quiet(quietMs));
  return { ...installed, writes, idleWrites: (await audit.writes()) - writes };
}

async function withChild<T>(child: Child, use: (child: Child) => Promise<T>): Promise<T> {
  await using _ = child;
  return await use(child);
}

/** With cert-manager's kinds, both apply the very same objects. */
async function prepare(kubernetes: Kubernetes, program: OperatorProgram): Promise<void> {
  await applyCertManager(kubernetes);
  await applyInventoryCrd(kubernetes);
  const apply = ["apply", "--server-side", "-f", "-"];
  await kubernetes.kubectl(apply, { stdin: await program.definitions() });
  for (const provider of clusterApiProviders) {
    const { namespace } = keyOf(provider);
    await kubernetes.kubectl(["create", "namespace", namespace]);
    const { matchLabels: labels } = selectorOf(provider);
    const release = await clusterApiRelease(provider, version);
    const object = configMapOf({ name: version, namespace, labels }, { ...release, version });
    const path = `/api/v1/namespaces/${namespace}/${builtInResources.configMaps.plural}`;
    await kubernetes.request("POST", path, { body: object });
  }
}

async function declare(kubernetes: Kubernetes, program: OperatorProgram): Promise<void> {
  const { apiVersion } = program;
  for (const provider of clusterApiProviders) {
    const { kind } = provider;
    const spec = { version, fetchConfig: { selector: selectorOf(provider) } };
    const body = { apiVersion, kind, metadata: keyOf(provider), spec };
    const answer = await kubernetes.request("POST", collectionOf(program, provider), { body });
    if (answer.status !== 201) {
      throw new Error(
        `could not declare ${providerLabel(provider)}: ${JSON.stringify(answer.body)}`,
      );
    }
  }
}

async function waitUntilReady(kubernetes: Kubernetes, program: OperatorProgram): Promise<void> {
  for (const provider of clusterApiProviders) {
    const path = `${collectionOf(program, provider)}/${provider.name}`;
    let last = "";
    await waitFor(
      async () => {
        const { body } = await kubernetes.request("GET", path);
        last = JSON.stringify(body.status);
        const conditions: { type: string; status: string }[] = body.status?.conditions ?? [];
        return conditions.some(({ type, status }) => type === "Ready" && status === "True");
      },
      { what: `${providerLabel(provider)} to be ready`, timeout: 300_000, detail: () => last },
    );
  }
}

function collectionOf(
  { apiVersion }: OperatorProgram,
  provider: (typeof clusterApiProviders)[number],
): string {
  return `/apis/${apiVersion}/namespaces/${keyOf(provider).namespace}/${provider.kind.toLowerCase()}s`;
}

/** Starts an operator, and waits until it says that it is ready. */
async function startOperator(
  program: OperatorProgram,
  { kubeconfig, folder }: { readonly kubeconfig: string; readonly folder: string },
): Promise<Child> {
  const authority = await createCertificateAuthority({ commonName: "webhooks" });
  const leaf = await authority.issue({
    commonName: "localhost",
    ipAddresses: ["127.0.0.1"],
    usages: ["server"],
  });
  await writeFile(join(folder, "tls.crt"), leaf.certificate);
  await writeFile(join(folder, "tls.key"), leaf.key);
  const ports = { healthPort: await freePort(), webhookPort: await freePort() };
  const run: ProgramRun = { kubeconfig, certificates: folder, ...ports };
  const child = await startChild({
    name: program.name,
    command: program.command,
    args: program.args(run),
    env: { ...process.env, ...program.env(run) },
    log: join(folder, "operator.log"),
  });
  const url = `http://127.0.0.1:${ports.healthPort}/readyz`;
  await waitFor(
    async () => {
      child.assertRunning();
      return (await fetch(url).catch(() => undefined))?.ok;
    },
    { what: `${program.name} to be ready`, timeout: 120_000 },
  );
  // Its caches: both are asked for nothing before they have had the time to fill them.
  await delay(2000);
  return child;
}

async function usageOf({ pid }: Child): Promise<Pick<InstallReport, "resident" | "processor">> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const resident = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // After the name, which may hold anything, user and system time are the 12th and 13th.
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return { resident, processor: (Number(user) + Number(system)) * 10 };
}
