import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Child, startChild, type TemporaryFolder, waitFor } from "@rookery/testing";

const entry = join(import.meta.dirname, "../../src/npm-start.mjs");
const timeout = 300_000;

/** `npm start` as a process, in the way that npm runs it. */
export class StartedPlane implements AsyncDisposable {
  readonly child: Child;

  static async start(folder: TemporaryFolder, ...args: readonly string[]): Promise<StartedPlane> {
    starts += 1;
    const child = await startChild({
      name: "npm start",
      command: process.execPath,
      // As the script of npm has them.
      args: [
        "--max-semi-space-size=2",
        "--expose-gc",
        entry,
        "--data",
        join(folder.path, "data"),
        ...args,
      ],
      log: join(folder.path, `start-${starts}.log`),
      grace: 60_000,
    });
    return new StartedPlane(child);
  }

  private constructor(child: Child) {
    this.child = child;
  }

  /** All that it has printed. */
  get output(): string {
    return readFileSync(this.child.log, "utf8");
  }

  async ready(): Promise<void> {
    await waitFor(
      () => {
        this.child.assertRunning();
        return this.output.includes("in another terminal");
      },
      { what: "npm start to be ready", timeout, detail: () => this.output },
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.child.stop();
  }
}

let starts = 0;
