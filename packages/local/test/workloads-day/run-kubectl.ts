import { spawn } from "node:child_process";
import { waitFor } from "@rookery/testing";
import type { TypedWorkload } from "./typed-workload.ts";

/** Whom kubectl talks to. */
export interface KubectlTarget {
  readonly kubectl: string;
  readonly kubeconfig: string;
}

export interface Printed {
  readonly out: string;
  readonly err: string;
  readonly exitCode: number | null;
}

export type KubectlCall = Pick<TypedWorkload, "stdin" | "endAt" | "path"> & {
  readonly args: readonly string[];
};

/** Runs kubectl to its end, or until it has printed or done what it was started for. */
export async function runKubectl(target: KubectlTarget, call: KubectlCall): Promise<Printed> {
  const { args, stdin, endAt, path } = call;
  await using running = startKubectl(target, args);
  const { child, printed, ended } = running;
  if (path !== undefined) return { out: await askPort(printed, path), err: "", exitCode: null };
  child.stdin.end(stdin ?? "");
  if (endAt === undefined) return { exitCode: await ended, ...printed };
  await waitFor(() => endAt.test(printed.out) || child.exitCode !== null, {
    what: `kubectl ${args.join(" ")}`,
    detail: () => printed.out + printed.err,
  });
  return { ...printed, exitCode: null };
}

function startKubectl({ kubectl, kubeconfig }: KubectlTarget, args: readonly string[]) {
  const cache = `--cache-dir=${kubeconfig}-cache`;
  const child = spawn(kubectl, [`--kubeconfig=${kubeconfig}`, cache, ...args]);
  const printed = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    printed.out += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    printed.err += chunk;
  });
  // One that ends early does not read what it is told.
  child.stdin.on("error", () => {});
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return {
    child,
    printed,
    ended,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) child.kill("SIGKILL");
      await ended;
    },
  };
}

/** What is answered on the port that a port-forward has said that it took. */
async function askPort(printed: Pick<Printed, "out" | "err">, path: string): Promise<string> {
  const port = await waitFor(() => /127\.0\.0\.1:(\d+) -> /.exec(printed.out)?.[1], {
    what: "the forwarded port",
    detail: () => printed.out + printed.err,
  });
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return `${response.status} ${await response.text()}`;
}
