import type { Duplex } from "node:stream";
import type { CommandOptions, ConnectRequest, ServedConnect } from "@rookery/apiserver";
import type { HttpResponse } from "@rookery/http";
import { badRequestError, booleanOption } from "@rookery/kube";
import { acceptSpdy, isUpgradeRequest } from "../spdy/handshake.ts";
import type { StreamingContext } from "../target/pod-target.ts";
import {
  assertHasHost,
  containerOf,
  podOf,
  podReference,
  type StoredPod,
  streamsOf,
} from "../target/pod-target.ts";
import { acceptWebSocket, isWebSocketRequest, offeredProtocols } from "../websocket/handshake.ts";
import { type CommandRun, runCommand } from "./run-command.ts";
import {
  newestWebSocketProtocol,
  openSpdyCommand,
  openWebSocketCommand,
  spdyCommandProtocols,
  webSocketCommandProtocols,
} from "./spdy-command.ts";

/** pods/exec and pods/attach. */
export function connectCommand(kind: CommandRun["kind"], context: StreamingContext): ServedConnect {
  return {
    methods: ["GET", "POST"],
    options: (query) => queryOptions(query, kind),
    connect(request) {
      const run = runOf(kind, request, context);
      if (!isUpgradeRequest(request.http)) throw badRequestError("Upgrade request required");
      return upgrade(request, run, context.onError);
    },
  };
}

/** The options in the query, as admission sees them. */
function queryOptions(query: URLSearchParams, kind: CommandRun["kind"]) {
  const flags = ["stdin", "stdout", "stderr", "tty"].filter((name) => booleanOption(query, name));
  const container = query.get("container") ?? "";
  const command = query.getAll("command");
  return {
    ...Object.fromEntries(flags.map((name) => [name, true])),
    ...(container && { container }),
    // Go always writes this field.
    ...(kind === "exec" && { command: command.length > 0 ? command : null }),
  };
}

interface QueryOptions extends Partial<CommandOptions> {
  readonly container?: string;
  readonly command?: readonly string[] | null;
}

interface Run extends CommandRun {
  readonly options: CommandOptions;
}

function runOf(kind: CommandRun["kind"], request: ConnectRequest, context: StreamingContext): Run {
  const given = request.options as QueryOptions;
  const pod = podOf(context.store, request);
  const container = containerOf(pod, given.container ?? "");
  assertHasHost(pod);
  const streams = streamsOf(context, pod);
  const options = commandOptions(given);
  const of = { ...podReference(pod), container };
  const start = () =>
    kind === "exec" ? streams.exec(of, given.command ?? [], options) : streams.attach(of, options);
  return { kind, start, options, endsInput: kind === "exec" || isStdinOnce(pod, container) };
}

/** Whether the first attached client's end closes the container's stdin. */
function isStdinOnce({ spec }: StoredPod, name: string): boolean {
  return spec?.containers?.find((each) => each.name === name)?.stdinOnce === true;
}

/** A terminal has no separate stderr. Throws a bad request in the kubelet's wording. */
function commandOptions(given: QueryOptions): CommandOptions {
  const { stdin = false, stdout = false, tty = false } = given;
  const stderr = given.stderr === true && !tty;
  if (!stdin && !stdout && !stderr) {
    throw badRequestError("you must specify at least 1 of stdin, stdout, stderr");
  }
  return { stdin, stdout, stderr, tty };
}

function upgrade(
  request: ConnectRequest,
  run: Run,
  onError: StreamingContext["onError"],
): HttpResponse {
  const { http } = request;
  if (!isWebSocketRequest(http)) {
    return acceptSpdy(request, spdyCommandProtocols, (peer, protocol) => {
      runOverSpdy(peer, protocol, run).catch(onError);
    });
  }
  const isNewest = offeredProtocols(http).includes(newestWebSocketProtocol);
  const protocols = isNewest ? [newestWebSocketProtocol] : webSocketCommandProtocols;
  return acceptWebSocket(request, protocols, (peer, protocol) => {
    runCommand(openWebSocketCommand(peer, protocol, run.options), run).catch(onError);
  });
}

async function runOverSpdy(peer: Duplex, protocol: string, run: Run): Promise<void> {
  const streams = await openSpdyCommand(peer, protocol, run.options);
  if (streams) await runCommand(streams, run);
}
