import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { customResourceDefinitions } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import { renderOperator } from "@rookery/operator";
import { goModuleSource } from "@rookery/testing";
import { stringify } from "yaml";

/** What a process is started with. */
export interface ProgramRun {
  readonly kubeconfig: string;
  readonly healthPort: number;
  readonly webhookPort: number;
  /** With tls.crt and tls.key. */
  readonly certificates: string;
}

/** An operator that installs providers which are declared as objects. */
export interface OperatorProgram {
  readonly name: string;
  readonly apiVersion: string;
  readonly command: string;
  readonly args: (run: ProgramRun) => string[];
  readonly env: (run: ProgramRun) => Readonly<Record<string, string>>;
  /** Its CRDs, as YAML. */
  readonly definitions: () => Promise<string>;
}

/** Ours, by the bundle of its image, in the environment that its Deployment gives it. */
export async function rookeryOperator(bundle: string): Promise<OperatorProgram> {
  const deployed = await deployedEnvironment();
  const group = "management.cluster.x-k8s.io";
  const own = customResourceDefinitions().filter(({ spec }) => spec.group === group);
  return {
    name: "ours",
    apiVersion: `${group}/v1alpha1`,
    command: process.execPath,
    args: ({ kubeconfig, healthPort }) => [
      join(bundle, "rookery.cjs"),
      ...["manager", "operator", `--kubeconfig=${kubeconfig}`],
      ...[`--health-addr=127.0.0.1:${healthPort}`, "--metrics-bind-address=0", "--webhook-port=0"],
    ],
    env: () => deployed,
    definitions: async () => own.map((crd) => stringify(crd)).join("---\n"),
  };
}

interface Deployment extends KubeObject {
  readonly spec: {
    template: { spec: { containers: [{ env: { name: string; value?: string }[] }] } };
  };
}

async function deployedEnvironment(): Promise<Readonly<Record<string, string>>> {
  const manifests = (await renderOperator({ image: "rookery" })) as readonly KubeObject[];
  const deployment = manifests.find(({ kind }) => kind === "Deployment") as Deployment | undefined;
  const env = deployment?.spec.template.spec.containers[0].env ?? [];
  return Object.fromEntries(env.flatMap(({ name, value }) => (value ? [[name, value]] : [])));
}

/** Without its admission webhooks, as ours: nobody calls them here. */
export function clusterApiOperator(path: string): OperatorProgram {
  return {
    name: "cluster-api-operator v0.29.0",
    apiVersion: "operator.cluster.x-k8s.io/v1alpha2",
    command: path,
    args: ({ healthPort, webhookPort, certificates }) => [
      `--health-addr=127.0.0.1:${healthPort}`,
      `--webhook-port=${webhookPort}`,
      `--webhook-cert-dir=${certificates}`,
      "--diagnostics-address=0",
      "--profiler-address=",
    ],
    env: ({ kubeconfig }) => ({ KUBECONFIG: kubeconfig }),
    definitions: async () => {
      const source = await goModuleSource("sigs.k8s.io/cluster-api-operator@v0.29.0");
      const folder = join(source, "config/crd/bases");
      const files = await readdir(folder);
      return (await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")))).join(
        "---\n",
      );
    },
  };
}
