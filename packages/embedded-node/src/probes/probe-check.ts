import type { IncomingMessage } from "node:http";
import { get as httpsGet } from "node:https";
import { connect } from "node:net";
import type { Container, HTTPGetAction, Probe } from "@rookery/api";
import { portNumber } from "../pod/pod.ts";
import { checkGrpc } from "./grpc-probe.ts";

/** Not imported as a module, which would load fetch with it. */
const { get: httpGet } = process.getBuiltinModule("node:http");

export interface ProbeTarget {
  readonly container: Container;
  readonly address: string;
  /** Runs a command in the container: its exit code and all that it printed. */
  run(command: readonly string[], signal: AbortSignal): Promise<CommandResult>;
}

export interface CommandResult {
  readonly code: number;
  readonly output: string;
}

/** Undefined where the probe succeeded, else what a kubelet says of its failure. */
export type ProbeFailure = string | undefined;

/** Asks a probe once. Rejects where it can't be asked at all. */
export async function checkProbe(
  probe: Probe,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<ProbeFailure> {
  const { timeoutSeconds = 1, exec, httpGet: http, tcpSocket, grpc } = probe;
  const limit = AbortSignal.timeout(timeoutSeconds * 1000);
  const either = AbortSignal.any([signal, limit]);
  if (exec) return checkExec(exec.command ?? [], target, { either, limit, timeoutSeconds });
  if (http) return checkHttp(http, target, either);
  if (grpc) {
    return checkGrpc(grpc, { address: target.address, timeoutSeconds, signal: either });
  }
  const port = portNumber(tcpSocket?.port, target.container);
  return checkTcp(tcpSocket?.host || target.address, port, either);
}

async function checkExec(
  command: readonly string[],
  target: ProbeTarget,
  time: {
    readonly either: AbortSignal;
    readonly limit: AbortSignal;
    readonly timeoutSeconds: number;
  },
): Promise<ProbeFailure> {
  const { code, output } = await target.run(command, time.either);
  if (time.limit.aborted) {
    const text = `command ${JSON.stringify(command.join(" "))} timed out`;
    return `${text}: ${time.timeoutSeconds}s`;
  }
  return code === 0 ? undefined : output;
}

/** Sends the request of a probe or a hook; resolves to its status. */
export function sendHttpGet(
  action: HTTPGetAction,
  { container, address }: Pick<ProbeTarget, "container" | "address">,
  { signal, agent }: { readonly signal: AbortSignal; readonly agent: string },
): Promise<number> {
  const { scheme = "HTTP", path = "/", host, httpHeaders = [] } = action;
  const url = `${scheme.toLowerCase()}://${host || address}:${portNumber(action.port, container)}${path}`;
  const get = scheme === "HTTPS" ? httpsGet : httpGet;
  const headers: Record<string, string> = { "User-Agent": agent, Accept: "*/*" };
  for (const { name = "", value = "" } of httpHeaders) headers[name] = value;
  // As a kubelet: it does not know the certificate's authority.
  const settings = { rejectUnauthorized: false, agent: false as const, signal, headers };
  return new Promise((resolve, reject) => {
    const request = get(url, settings, (response: IncomingMessage) => {
      response.resume();
      response.on("error", () => {});
      resolve(response.statusCode ?? 0);
    });
    request.once("error", (error) => reject(new Error(`Get "${url}": ${goError(error, url)}`)));
  });
}

async function checkHttp(
  action: HTTPGetAction,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<ProbeFailure> {
  try {
    const status = await sendHttpGet(action, target, { signal, agent: "kube-probe/1.34" });
    if (status >= 200 && status < 400) return undefined;
    return `HTTP probe failed with statuscode: ${status}`;
  } catch (error) {
    return (error as Error).message;
  }
}

function checkTcp(host: string, port: number, signal: AbortSignal): Promise<ProbeFailure> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal });
    socket.once("connect", () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once("error", (error) => resolve(goError(error, `tcp://${host}:${port}`)));
  });
}

/** In the words of Go's net package. */
function goError(error: NodeJS.ErrnoException, url: string): string {
  const { host } = new URL(url);
  if (error.name === "AbortError" || error.name === "TimeoutError") {
    return `dial tcp ${host}: i/o timeout`;
  }
  if (error.code === "ECONNREFUSED") return `dial tcp ${host}: connect: connection refused`;
  if (error.code === "ECONNRESET") return "EOF";
  return error.message;
}
