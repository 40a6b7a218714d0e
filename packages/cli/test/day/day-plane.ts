import { join } from "node:path";
import { createClient, loadConfig } from "@rookery/client";
import {
  createTemporaryFolder,
  ensureBinaries,
  lastLines,
  runCommand,
  startKubernetes,
} from "@rookery/testing";
import { ProcessKubelet } from "../../../operator/test/process-kubelet.ts";
import packageJson from "../../package.json" with { type: "json" };
import { logFileOf } from "../../src/local/log-file.ts";
import { type RunOptions, run } from "../run.ts";
import { managerPods } from "./manager-pods.ts";

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

/** A real kube-apiserver with its controllers; processes stand for the pods of the node that it lacks. */
export async function realPlane(options: PlaneOptions): Promise<DayPlane> {
  await using stack = new AsyncDisposableStack();
  const kubernetes = stack.use(await startKubernetes({ private: true, flavour: "kube-apiserver" }));
  const { path: folder } = stack.use(await createTemporaryFolder("admin-day"));
  const client = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
  const image = `rookery:${packageJson.version}`;
  const program = managerPods(client);
  stack.use(await ProcessKubelet.start({ kubernetes, client, folder, image, program }));
  return plane(kubernetes.kubeconfig, options, stack.move());
}

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
