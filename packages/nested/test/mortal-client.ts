import { type Client, createClientOver } from "@rookery/client";
import { discardBody, type HttpRequest } from "@rookery/http";

/** One life of a manager, which may have several clients. */
export interface MortalLife {
  /** A client that reaches the server until the life ends. */
  readonly mortal: (client: Client) => Client;
  readonly death: Promise<void>;
}

/** A life that ends with one of its writes, counted from 1, whose answer is lost. */
export function mortalLife(lastWrite: number): MortalLife {
  const { promise: death, resolve } = Promise.withResolvers<void>();
  let writes = 0;
  const mortal = (client: Client) =>
    createClientOver(async (request) => {
      if (isBeside(request)) return client.handler(request);
      if (writes >= lastWrite) throw new Error("killed");
      if (request.method === "GET") return client.handler(request);
      writes += 1;
      if (writes < lastWrite) return client.handler(request);
      try {
        await discardBody((await client.handler(request)).body);
      } finally {
        resolve();
      }
      throw new Error("killed");
    });
  return { mortal, death };
}

/** Events are written whenever there is time, and nobody goes by them. */
function isBeside({ path }: HttpRequest): boolean {
  return path.includes("/events");
}
