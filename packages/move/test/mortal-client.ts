import { type Client, createClientOver } from "@rookery/client";
import { discardBody } from "@rookery/http";

/** A process that dies: its clients reach nobody any more after so many requests. */
export class MortalProcess {
  #left: number;

  /** The answer to the last request is lost, though the server has done what it asked for. */
  constructor(requests: number) {
    this.#left = requests;
  }

  get isDead(): boolean {
    return this.#left <= 0;
  }

  clientOf(client: Client): Client {
    return createClientOver(async (request) => {
      if (this.isDead) throw new Error("killed");
      this.#left -= 1;
      const isLast = this.isDead;
      const response = await client.handler(request);
      if (!isLast) return response;
      await discardBody(response.body);
      throw new Error("killed");
    });
  }
}
