import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

interface AuditEvent {
  readonly verb: string;
  readonly stage: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly resource?: string };
}

const writing = new Set(["create", "update", "patch", "delete", "deletecollection"]);
/** Said, asked or held, and no state of anything. */
const unimportant = new Set([
  "events",
  "leases",
  "subjectaccessreviews",
  "selfsubjectaccessreviews",
]);

/** What one user asked of an API server, as its audit log has it. */
export class AuditLog {
  readonly #path: string;
  readonly #user: string;

  constructor(path: string, user: string) {
    this.#path = path;
    this.#user = user;
  }

  async writes(): Promise<number> {
    const events = await this.#events();
    return events.filter(
      ({ verb, objectRef }) => writing.has(verb) && !unimportant.has(objectRef?.resource ?? ""),
    ).length;
  }

  /** Waits until the user has asked for nothing for a while. */
  async quiet(milliseconds: number): Promise<void> {
    let before = -1;
    for (;;) {
      const { length } = (await this.#events()).filter(({ verb }) => verb !== "watch");
      if (length === before) return;
      before = length;
      await delay(milliseconds);
    }
  }

  async #events(): Promise<AuditEvent[]> {
    const lines = (await readFile(this.#path, "utf8")).split("\n").slice(0, -1);
    return lines
      .map((line) => JSON.parse(line) as AuditEvent)
      .filter(({ stage, user }) => stage === "ResponseComplete" && user.username === this.#user);
  }
}
