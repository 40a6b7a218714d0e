import { type Client, createClientOver } from "@rookery/client";

/** A process that dies after one write of a certain kind: its client reaches nobody any more. */
export class MortalProcess {
  #isDead = false;

  get isDead(): boolean {
    return this.#isDead;
  }

  clientOf(client: Client, isDeadly: (path: string) => boolean): Client {
    return createClientOver(async (request) => {
      if (this.#isDead) throw new Error("killed");
      if (request.method !== "GET" && isDeadly(request.path)) this.#isDead = true;
      return client.handler(request);
    });
  }
}
