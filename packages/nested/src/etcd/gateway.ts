import { messageOf } from "@rookery/errors";
import { type ClientTls, Context, collectBody, createHttpClient } from "@rookery/http";
import { EtcdRequestError } from "../errors.ts";

export interface EtcdMember {
  /** A number of 64 bits, in decimal. */
  readonly id: string;
  /** Empty before its first start. */
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly isLearner: boolean;
}

/** A client of one member's JSON gateway. All methods reject with EtcdRequestError. */
export interface EtcdGateway extends AsyncDisposable {
  members(): Promise<readonly EtcdMember[]>;
  /** Adds a member without a vote, on which no quorum depends. */
  addLearner(peerUrl: string): Promise<void>;
  /** False if the learner is not in sync with the leader. */
  promote(id: string): Promise<boolean>;
  remove(id: string): Promise<void>;
  /** Whether this member is in contact with a quorum. Never rejects. */
  isHealthy(): Promise<boolean>;
}

export interface EtcdGatewayOptions {
  /** Scheme, address and port. */
  readonly origin: string;
  readonly tls?: ClientTls;
  readonly signal: AbortSignal;
}

/** On a busy machine a handshake takes seconds. */
const timeouts = { connect: 5_000, headers: 10_000, body: 10_000 };
const deadlineMs = 15_000;
const largestAnswer = 1024 * 1024;
/** FailedPrecondition: the learner is not in sync. */
const failedPrecondition = 9;
const notFound = 5;

export function createEtcdGateway({ origin, tls, signal }: EtcdGatewayOptions): EtcdGateway {
  const limits = { deadlineMs, answerBytes: largestAnswer };
  const client = createHttpClient({ origin, timeouts, limits, ...(tls && { tls }) });
  const send: Send = async (method, path, body) => {
    const headers = body && {
      "content-type": "application/json",
      "content-length": String(body.length),
    };
    const request = { method, path, query: "", headers: headers ?? {}, ...(body && { body }) };
    const response = await client.handler({ ...request, context: Context.empty, signal });
    const bytes = await collectBody(response.body, { limit: largestAnswer });
    return { status: response.status, text: new TextDecoder().decode(bytes) };
  };
  const call = (action: string, body: object) => post(send, `/v3/cluster/member/${action}`, body);
  return {
    members: async () => {
      const answer = await call("list", { linearizable: true });
      return (answer.members ?? []).map(readMember);
    },
    addLearner: async (peerUrl) => {
      await call("add", { peerURLs: [peerUrl], isLearner: true });
    },
    promote: (id) => unlessCode(failedPrecondition, call("promote", { ID: id })),
    remove: async (id) => {
      await unlessCode(notFound, call("remove", { ID: id }));
    },
    isHealthy: async () => {
      try {
        const { status, text } = await send("GET", "/health");
        return status === 200 && JSON.parse(text).health === "true";
      } catch {
        return false;
      }
    },
    [Symbol.asyncDispose]: () => client.destroy(),
  };
}

type Send = (
  method: string,
  path: string,
  body?: Buffer,
) => Promise<{ readonly status: number; readonly text: string }>;

interface Answer {
  readonly members?: readonly ListedMember[];
  readonly message?: string;
  readonly code?: number;
}

interface ListedMember {
  readonly ID?: string;
  readonly name?: string;
  readonly peerURLs?: readonly string[];
  readonly isLearner?: boolean;
}

function readMember({ ID = "0", name = "", peerURLs = [], isLearner = false }: ListedMember) {
  return { id: ID, name, peerUrls: peerURLs, isLearner };
}

async function post(send: Send, path: string, body: object): Promise<Answer> {
  const { status, text } = await send("POST", path, Buffer.from(JSON.stringify(body))).catch(
    (cause: unknown) => {
      throw new EtcdRequestError(path, messageOf(cause), { cause });
    },
  );
  let answer: Answer;
  try {
    answer = JSON.parse(text);
  } catch (cause) {
    throw new EtcdRequestError(path, `it answered ${status} without JSON`, { cause });
  }
  if (status === 200) return answer;
  const { message = `it answered ${status}`, code } = answer;
  throw new EtcdRequestError(path, message, { ...(code !== undefined && { grpcCode: code }) });
}

async function unlessCode(code: number, call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof EtcdRequestError && error.grpcCode === code) return false;
    throw error;
  }
}
