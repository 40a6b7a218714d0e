import { join } from "node:path";
import { createClient, loadConfig } from "@rookery/client";
import {
  createTemporaryFolder,
  ensureBinaries,
  lastLines,
  runCommand,
  startKubernetes,
} from "@rookery/testing";
import { startProcessNode } from "../../../operator/test/process-node.ts";
import { createImagePrograms } from "../../src/local/image-programs.ts";
import { logFileOf } from "../../src/local/log-file.ts";
import { type RunOptions, run } from "../run.ts";
import { publishWebhooks } from "./webhook-endpoints.ts";

/** A cluster of an admin, and what is typed there. */
export interface DayPlane extends AsyncDisposable {
  /** Of the tenant that is made there. */
  readonly tenant: string;
  readonly kubeconfig: string;
  /** Calls the command, and returns what it printed. Throws where it fails. */
  rookery(line: string): Promise<string>;
  /** Calls the command where it is to fail, and returns what it said. */
  refused(line: string): Promise<string>;
  kubectl(line: string, stdin?: string): Promise<string>;
}

interface PlaneOptions {
  readonly tenant: string;
  /** Where the configuration and releases are. */
  readonly home: string;
  /** Variables of the admin's shell. */
  readonly env: NonNullable<RunOptions["env"]>;
}

/** `rookery local up`, whose node runs pods as processes. */
export async function embeddedPlane(options: PlaneOptions): Promise<DayPlane> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder("admin-day")).path;
  const data = join(folder, "data");
  const local = async (words: string) => {
    const { code, errors } = await run(`local ${words} --data=${data}`, { env: options.env });
    if (code !== 0) throw new Error(`${errors}${lastLines(logFileOf(data))}`);
  };
  stack.defer(() => local("down"));
  await local("up --port=0");
  return plane(join(data, "kubeconfig"), options, stack.move());
}

/** A real kube-apiserver with its controllers, and the node of the embedded Kubernetes. */
export async function realPlane(options: PlaneOptions): Promise<DayPlane> {
  await using stack = new AsyncDisposableStack();
  const kubernetes = stack.use(
    await startKubernetes({ private: true, flavour: "kube-apiserver", controllerManagerArgs }),
  );
  const client = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
  const main = async () => join(import.meta.dirname, "..", "manager-main.ts");
  const images = createImagePrograms({ env: process.env, programs: () => ({}), main });
  stack.use(await startProcessNode({ kubernetes, client, images }));
  stack.use(publishWebhooks(client));
  return plane(kubernetes.kubeconfig, options, stack.move());
}

/** These controllers would retry for ever: an API server takes no loopback address for an endpoint. */
const idle = ["endpoints", "endpointslice", "endpointslice-mirroring"];
const controllerManagerArgs = [
  `--controllers=*,${idle.map((name) => `-${name}-controller`).join()}`,
];

async function plane(
  kubeconfig: string,
  { tenant, home, env }: PlaneOptions,
  owned: AsyncDisposableStack,
): Promise<DayPlane> {
  const { kubectl: program } = await ensureBinaries(["kubectl"]);
  const shell = { ...env, HOME: home, KUBECONFIG: kubeconfig };
  return {
    tenant,
    kubeconfig,
    async rookery(line) {
      const { code, output, errors } = await run(line, { env: shell });
      if (code !== 0) throw new Error(`"rookery ${line}" ended with ${code}: ${errors}${output}`);
      return output;
    },
    async refused(line) {
      const { code, output, errors } = await run(line, { env: shell });
      if (code === 0) throw new Error(`"rookery ${line}" was not refused: ${errors}${output}`);
      return errors;
    },
    kubectl: (line, stdin) =>
      runCommand(program, line.split(" "), {
        env: { ...process.env, KUBECONFIG: kubeconfig },
        ...(stdin !== undefined && { stdin }),
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
