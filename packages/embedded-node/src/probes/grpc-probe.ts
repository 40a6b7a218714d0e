import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from "node:http2";
import type { GRPCAction } from "@rookery/api";
import { WireWriter } from "@rookery/kube";
import type { ProbeFailure } from "./probe-check.ts";

export interface GrpcProbeOptions {
  readonly address: string;
  readonly timeoutSeconds: number;
  /** Aborted when the time is over too. */
  readonly signal: AbortSignal;
}

/** Of grpc.health.v1, by their numbers. */
const servingStatuses = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"];

/** As Go calls the codes of gRPC, by their numbers. */
const codes = [
  ...["OK", "Canceled", "Unknown", "InvalidArgument", "DeadlineExceeded", "NotFound"],
  ...["AlreadyExists", "PermissionDenied", "ResourceExhausted", "FailedPrecondition", "Aborted"],
  ...["OutOfRange", "Unimplemented", "Internal", "Unavailable", "DataLoss", "Unauthenticated"],
];
const unimplemented = 12;

/** Asks grpc.health.v1.Health/Check; undefined where the service serves. */
export async function checkGrpc(
  { port = 0, service = "" }: GRPCAction,
  { address, timeoutSeconds, signal }: GrpcProbeOptions,
): Promise<ProbeFailure> {
  const session = connect(`http://${address}:${port}`);
  // Waiting calls have listeners of their own.
  session.on("error", () => {});
  try {
    if (!(await isConnected(session, signal))) {
      const place = JSON.stringify(`${address}:${port}`);
      return `timeout: failed to connect service ${place} within ${timeoutSeconds}s: context deadline exceeded`;
    }
    const answer = await ask(session, service, signal);
    if (answer === "late") return `timeout: health rpc did not complete within ${timeoutSeconds}s`;
    return failureOf(answer);
  } finally {
    session.destroy();
  }
}

function isConnected(session: ClientHttp2Session, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    session.once("connect", () => resolve(true));
    session.once("error", () => resolve(false));
    onceAborted(signal, () => resolve(false));
  });
}

interface Answer {
  readonly code: number;
  readonly text: string;
  /** With the five bytes before the message. */
  readonly body: Buffer;
}

function ask(
  session: ClientHttp2Session,
  service: string,
  signal: AbortSignal,
): Promise<Answer | "late"> {
  const stream = session.request({
    ":method": "POST",
    ":path": "/grpc.health.v1.Health/Check",
    "content-type": "application/grpc",
    "user-agent": "kube-probe/1.34",
    te: "trailers",
  });
  let told: IncomingHttpHeaders = {};
  const hear = (headers: IncomingHttpHeaders) => {
    told = { ...told, ...headers };
  };
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    onceAborted(signal, () => resolve("late"));
    // An answer without a message has its code where others have their first headers.
    stream.on("response", hear).on("trailers", hear);
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.once("error", ({ message }) => resolve(lost(message)));
    stream.once("close", () => resolve(answerOf(told, Buffer.concat(chunks))));
    stream.end(questionOf(service));
  });
}

function answerOf(told: IncomingHttpHeaders, body: Buffer): Answer {
  const { "grpc-status": code, "grpc-message": text = "" } = told;
  if (code === undefined) return lost("the server answered without a status");
  return { code: Number(code), text: decodeURIComponent(String(text)), body };
}

function lost(text: string): Answer {
  return { code: codes.indexOf("Unavailable"), text, body: Buffer.alloc(0) };
}

function failureOf({ code, text, body }: Answer): ProbeFailure {
  if (code === unimplemented) {
    return `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${text}`;
  }
  if (code !== 0) {
    const name = codes[code] ?? `Code(${code})`;
    return `error: health rpc probe failed: rpc error: code = ${name} desc = ${text}`;
  }
  // Field 1 of the message; one that is not there is 0.
  const status = body[5] === 0x08 ? (body[6] ?? 0) : 0;
  const name = servingStatuses[status] ?? String(status);
  return name === "SERVING" ? undefined : `service unhealthy (responded with "${name}")`;
}

/** One message whose field 1 is the service. */
function questionOf(service: string): Buffer {
  const message = service === "" ? Buffer.alloc(0) : new WireWriter().string(1, service).finish();
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(message.length, 1);
  return Buffer.concat([frame, message]);
}

function onceAborted(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) listener();
  else signal.addEventListener("abort", listener, { once: true });
}
