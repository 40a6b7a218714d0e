import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import {
  type Body,
  Context,
  createHttpClient,
  createHttpServer,
  discardBody,
  type Handler,
} from "@rookery/http";
import { type CertificateAndKey, createCertificateAuthority } from "@rookery/pki";
import type { Bench, Side, Work } from "@rookery/testing";

const small = Buffer.from(JSON.stringify({ kind: "Status", status: "Success", code: 200 }));
const chunk = Buffer.alloc(64 * 1024, "x");
const chunks = Array.from({ length: 512 }, () => chunk);

/**
 * What the handler shape costs (docs/adr/0004): our server beside a bare node:https server that sends
 * the same bytes, both asked by the same client over TLS and HTTP/1.1.
 */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const authority = await createCertificateAuthority({ commonName: "bench" });
  const leaf = await authority.issue({
    commonName: "localhost",
    dnsNames: ["localhost"],
    usages: ["server"],
  });
  const tls = { ca: authority.certificate };
  const client = async (origin: string) =>
    stack.use(createHttpClient({ origin, tls, allowH2: false })).handler;
  const ours = await client(await startOurs(leaf, stack));
  const bare = await client(await startBare(leaf, stack));
  const works: [Work, Work] = [
    {
      work: "small answers, 32 at a time",
      unit: "req/s",
      better: "more",
      ours: asking("@rookery/http", ours),
      peers: [asking("node:https", bare)],
      goal: 0.8,
    },
    {
      work: "a body of 32 MiB",
      unit: "MiB/s",
      better: "more",
      ours: streaming("@rookery/http", ours),
      peers: [streaming("node:https", bare)],
      goal: 0.8,
    },
  ];
  const owned = stack.move();
  return { rounds: 5, works, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function startOurs(leaf: CertificateAndKey, stack: AsyncDisposableStack): Promise<string> {
  const bodies = new Map<string, Body>([
    ["/small", small],
    ["/large", chunks],
  ]);
  const server = stack.use(
    createHttpServer({
      handler: ({ path }) => ({ status: 200, headers: {}, body: bodies.get(path) }),
      tls: { cert: leaf.certificate, key: leaf.key },
      onError: (error) => console.error(error),
    }),
  );
  await server.listen({ host: "127.0.0.1", port: 0 });
  return `https://localhost:${server.address.port}`;
}

async function startBare(leaf: CertificateAndKey, stack: AsyncDisposableStack): Promise<string> {
  const server: Server = createServer(
    { cert: leaf.certificate, key: leaf.key },
    (request, response) => {
      if (request.url === "/small") response.end(small);
      else writeAll(0);

      function writeAll(next: number): void {
        for (let index = next; index < chunks.length; index++) {
          if (response.write(chunk)) continue;
          response.once("drain", () => writeAll(index + 1));
          return;
        }
        response.end();
      }
    },
  );
  stack.defer(() => server.closeAllConnections());
  stack.defer(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

function asking(name: string, handler: Handler): Side {
  const requests = 6000;
  return {
    name,
    async round() {
      const started = performance.now();
      let left = requests;
      const worker = async () => {
        while (left-- > 0) await get(handler, "/small");
      };
      await Promise.all(Array.from({ length: 32 }, worker));
      return requests / ((performance.now() - started) / 1000);
    },
  };
}

function streaming(name: string, handler: Handler): Side {
  return {
    name,
    async round() {
      const started = performance.now();
      await get(handler, "/large");
      return (chunks.length * chunk.length) / 2 ** 20 / ((performance.now() - started) / 1000);
    },
  };
}

async function get(handler: Handler, path: string): Promise<void> {
  const { signal } = new AbortController();
  const response = await handler({
    method: "GET",
    path,
    query: "",
    headers: {},
    signal,
    context: Context.empty,
  });
  await discard(response.body);
}

/** Reads all of it, however much: `discardBody` would give a long one up. */
async function discard(body: Body): Promise<void> {
  if (typeof body !== "function") return discardBody(body);
  const { signal } = new AbortController();
  await body({ write: () => true, drained: async () => {}, signal });
}
