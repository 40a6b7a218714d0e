import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Child, startChild, type TemporaryFolder, waitFor } from "@rookery/testing";

const entry = join(import.meta.dirname, "../../src/npm-start.mjs");
const timeout = 300_000;

/** `npm start` as a process, in the way that npm runs it. */
export class StartedPlane implements AsyncDisposable {
  readonly child: Child;

  static start(folder: TemporaryFolder, ...args: readonly string[]): Promise<StartedPlane> {
    return StartedPlane.#launch(folder, commandIn(folder, args), process.env);
  }

  /** With other variables in its environment. */
  static startWith(
    env: Readonly<Record<string, string>>,
    folder: TemporaryFolder,
    ...args: readonly string[]
  ): Promise<StartedPlane> {
    return StartedPlane.#launch(folder, commandIn(folder, args), { ...process.env, ...env });
  }

  /** By another user of this machine, whose home the folder is; only root can. */
  static async startAs(
    uid: number,
    folder: TemporaryFolder,
    ...args: readonly string[]
  ): Promise<StartedPlane> {
    const user = ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", "--"];
    const env = { HOME: folder.path, PATH: process.env.PATH, USER: "other" };
    return StartedPlane.#launch(folder, [...user, ...commandIn(folder, args)], env);
  }

  /** By a root who may not mount, as in most containers; only root can. */
  static async startBound(
    folder: TemporaryFolder,
    ...args: readonly string[]
  ): Promise<StartedPlane> {
    const bound = ["setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin", "--"];
    return StartedPlane.#launch(folder, [...bound, ...commandIn(folder, args)], process.env);
  }

  static async #launch(
    folder: TemporaryFolder,
    [command = "", ...args]: readonly string[],
    env: NodeJS.ProcessEnv,
  ): Promise<StartedPlane> {
    starts += 1;
    const log = join(folder.path, `start-${starts}.log`);
    const options = { name: "npm start", command, args, env, log, grace: 60_000 };
    return new StartedPlane(await startChild(options));
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
        return /^Ready after/m.test(this.output) && this.output.includes("in another terminal");
      },
      {
        what: "npm start to be ready",
        timeout,
        detail: () => this.output,
        fatal: () => this.child.ending !== undefined,
      },
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.child.stop();
  }
}

/** As the script of npm has it. */
function commandIn({ path }: TemporaryFolder, args: readonly string[]): readonly string[] {
  const flags = ["--max-semi-space-size=2", "--expose-gc"];
  return [process.execPath, ...flags, entry, "--data", join(path, "data"), ...args];
}

let starts = 0;
