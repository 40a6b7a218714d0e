import { messageOf } from "@rookery/errors";
import {
  type ClientTls,
  Context,
  collectBody,
  createHttpClient,
  type Handler,
} from "@rookery/http";
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
const longestMs = 15_000;
const largestAnswer = 1024 * 1024;
/** FailedPrecondition: the learner is not in sync. */
const failedPrecondition = 9;
const notFound = 5;

export function createEtcdGateway({ origin, tls, signal }: EtcdGatewayOptions): EtcdGateway {
  const limits = { deadlineMs: longestMs, answerBytes: largestAnswer };
  const client = createHttpClient({ origin, timeouts, limits, ...(tls && { tls }) });
  const handler: Handler = (request) => client.handler({ ...request, signal });
  const ask = (path: string, body: object) =>
    post(handler, { path: `/v3/cluster/member/${path}`, body });
  return {
    members: async () => {
      const answer = await ask("list", { linearizable: true });
      return (answer.members ?? []).map(readMember);
    },
    addLearner: async (peerUrl) => {
      await ask("add", { peerURLs: [peerUrl], isLearner: true });
    },
    promote: (id) => unlessCode(failedPrecondition, ask("promote", { ID: id })),
    remove: async (id) => {
      await unlessCode(notFound, ask("remove", { ID: id }));
    },
    isHealthy: () => health(handler),
    [Symbol.asyncDispose]: () => client.destroy(),
  };
}

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

interface Question {
  readonly path: string;
  readonly body: object;
}

function readMember({ ID = "0", name = "", peerURLs = [], isLearner = false }: ListedMember) {
  return { id: ID, name, peerUrls: peerURLs, isLearner };
}

async function post(handler: Handler, { path, body }: Question): Promise<Answer> {
  const { status, text } = await send(handler, { path, body });
  let answer: Answer;
  try {
    answer = JSON.parse(text);
  } catch (cause) {
    throw new EtcdRequestError(path, `it answered ${status} with what is no JSON`, { cause });
  }
  if (status === 200) return answer;
  const why = answer.message ?? `it answered ${status}`;
  throw new EtcdRequestError(path, why, {
    ...(answer.code !== undefined && { grpcCode: answer.code }),
  });
}

async function send(handler: Handler, { path, body }: Question) {
  const encoded = Buffer.from(JSON.stringify(body));
  const headers = { "content-type": "application/json", "content-length": String(encoded.length) };
  const request = { method: "POST", path, query: "", headers, body: encoded };
  try {
    const response = await handler({ ...request, ...unobserved() });
    const bytes = await collectBody(response.body, { limit: largestAnswer });
    return { status: response.status, text: new TextDecoder().decode(bytes) };
  } catch (cause) {
    throw new EtcdRequestError(path, messageOf(cause), {
      cause,
    });
  }
}

function unobserved() {
  return { context: Context.empty, signal: new AbortController().signal };
}

async function unlessCode(code: number, asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (error instanceof EtcdRequestError && error.grpcCode === code) return false;
    throw error;
  }
}

async function health(handler: Handler): Promise<boolean> {
  const request = { method: "GET", path: "/health", query: "", headers: {} };
  try {
    const response = await handler({ ...request, ...unobserved() });
    const bytes = await collectBody(response.body, { limit: largestAnswer });
    return response.status === 200 && JSON.parse(new TextDecoder().decode(bytes)).health === "true";
  } catch {
    return false;
  }
}
