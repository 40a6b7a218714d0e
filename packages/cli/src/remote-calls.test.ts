import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

const packages = join(import.meta.dirname, "..", "..");
const sources = globSync("*/src/**/*.ts", { cwd: packages })
  .filter((file) => !/\.test\.ts$|^testing\//.test(file))
  .toSorted();

function using(pattern: RegExp): string[] {
  return sources.filter((file) => pattern.test(readFileSync(join(packages, file), "utf8")));
}

/** Each has a reason: whoever adds to a list says in a review what bounds the call. */
const lists: Record<string, [pattern: RegExp, files: readonly string[]]> = {
  "passes exchanges on, whose limits are its client's": [
    /\b(noLimits|noTransportLimits)\b(?!:)/,
    [
      "client/src/index.ts",
      // Around them are requestTimeout and limitAnswers.
      "client/src/transport/limit-answers.ts",
      "client/src/transport/transport.ts",
      "embedded-apiserver/src/aggregation/remote-clients.ts",
      "embedded-apiserver/src/streaming/proxy/connect-proxy.ts",
      "http/src/exchange-limits.ts",
      "http/src/http-client.ts",
      "http/src/index.ts",
      "proxy/src/callback-side.ts",
      "proxy/src/upstream.ts",
    ],
  ],
  "waits for an API server as long as it takes": [/timeoutMs: 0\b/, ["proxy/src/upstream.ts"]],
  "asks by HTTP without @rookery/http": [
    /from "(node:https|undici[^"]*)"|getBuiltinModule\("node:http"\)|(?:await|return|=>|=) fetch\(/,
    [
      // A probe has its own timeout, and reads no body.
      "embedded-node/src/probes/probe-check.ts",
      "http/src/node-http.ts",
      "http/src/thumbprint.ts",
      "http/src/undici-exchange.ts",
      "http/src/undici-files.d.ts",
      "http/src/undici-handler.ts",
      "http/src/undici-pools.ts",
      "http/src/undici-response-body.ts",
      // Has a time limit, and reads no more than the size in the lock file. It is in no published program.
      "packaging/src/images/debian-packages.ts",
    ],
  ],
  "opens sockets of its own": [
    /import \{[^}]*\bconnect\b[^}]*\} from "node:(net|tls|http2)"/,
    [
      // Has a time limit, and reads nothing.
      "concierge/src/outbound/dial.ts",
      // To pods of its own node.
      "embedded-node/src/node-streams.ts",
      "embedded-node/src/probes/grpc-probe.ts",
      "embedded-node/src/probes/probe-check.ts",
      "embedded-node/src/services/relay-listener.ts",
      // Has a time limit, and compares the certificate alone.
      "nested/src/api-server/probe-pod.ts",
    ],
  ],
};

describe("no other file", () => {
  for (const [what, [pattern, files]] of Object.entries(lists)) {
    it(what, () => assert.deepEqual(using(pattern), files));
  }
});
