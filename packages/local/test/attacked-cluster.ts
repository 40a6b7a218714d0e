import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startLocalServer } from "@rookery/local";
import { createTemporaryFolder, ensureBinaries, waitFor } from "@rookery/testing";
import {
  type KubectlCall,
  type KubectlTarget,
  type Printed,
  runKubectl,
} from "./workloads-day/run-kubectl.ts";

/** An embedded Kubernetes whose pods are shells, and whose files lie where others may look for them. */
export class AttackedCluster implements AsyncDisposable {
  readonly folder: string;
  readonly data: string;
  readonly #target: KubectlTarget;
  readonly #stack: AsyncDisposableStack;

  private constructor(folder: string, target: KubectlTarget, stack: AsyncDisposableStack) {
    this.folder = folder;
    this.data = join(folder, "data");
    this.#target = target;
    this.#stack = stack;
  }

  static async start(): Promise<AttackedCluster> {
    await using stack = new AsyncDisposableStack();
    const { kubectl } = await ensureBinaries(["kubectl"]);
    const folder = stack.use(await createTemporaryFolder("attacks")).path;
    const data = join(folder, "data");
    await mkdir(data);
    const images = {
      programOf: (image: string) =>
        image === "sh" ? { entrypoint: ["/bin/sh", "-c"], id: "sh" } : undefined,
      hint: "this node runs sh",
    };
    const third = process.pid % 256;
    const networks = { podCidr: `127.73.${third}.0/24`, serviceCidr: `127.99.${third}.0/24` };
    const server = stack.use(
      await startLocalServer({ data, port: 0, node: { images }, ...networks }),
    );
    const target = { kubectl, kubeconfig: server.kubeconfig ?? "" };
    const cluster = new AttackedCluster(folder, target, stack.move());
    const isThere = async () => (await cluster.kubectl("get", "sa", "default")).exitCode === 0;
    await waitFor(isThere, { what: "the service account", timeout: 60_000 });
    return cluster;
  }

  get kubeconfig(): string {
    return this.#target.kubeconfig;
  }

  kubectl(...args: readonly string[]): Promise<Printed> {
    return this.#run({ args });
  }

  apply(object: object): Promise<Printed> {
    return this.#run({ args: ["apply", "--filename=-"], stdin: JSON.stringify(object) });
  }

  /** Creates a pod of shells; those that are named are its containers, unless its spec says otherwise. */
  async pod(name: string, spec: object): Promise<void> {
    const metadata = { name, namespace: "default" };
    const usual = { restartPolicy: "Never", terminationGracePeriodSeconds: 0 };
    const pod = { apiVersion: "v1", kind: "Pod", metadata, spec: { ...usual, ...spec } };
    const { exitCode, err } = await this.apply(pod);
    if (exitCode !== 0) throw new Error(err);
  }

  /** What a pod has printed by its end. */
  async output(name: string, spec: object): Promise<string> {
    await this.pod(name, spec);
    await this.until(name, "{.status.phase}", /Succeeded|Failed/);
    return (await this.kubectl("logs", name)).out;
  }

  /** Waits until a pod says so, by a path of JSON. */
  async until(name: string, path: string, text: RegExp): Promise<string> {
    const look = async () => (await this.kubectl("get", "pod", name, `-ojsonpath=${path}`)).out;
    let last = "";
    const isSo = async () => {
      last = await look();
      return text.test(last);
    };
    const what = `${path} of pod ${name} to be like ${text}`;
    await waitFor(isSo, { what, timeout: 60_000, detail: () => last });
    return last;
  }

  #run(call: KubectlCall): Promise<Printed> {
    return runKubectl(this.#target, call);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kubectl("delete", "pods", "--all", "--grace-period=0", "--force");
    await this.#stack.disposeAsync();
  }
}

/** A container of a shell script. */
export function sh(name: string, script: string, rest: object = {}): object {
  return { name, image: "sh", args: [script], ...rest };
}
