import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Kubernetes, runCommand } from "@rookery/testing";

const root = join(import.meta.dirname, "../../..");

/** The commands of a document, one block of them after another. */
export async function commandsIn(document: string): Promise<readonly string[]> {
  const text = await readFile(join(root, "docs", document), "utf8");
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}

/** A shell in which kubectl and rookery are known, and others by their paths. */
export class Shell {
  readonly #env: NodeJS.ProcessEnv;

  /** Puts the commands into a folder. */
  static async create(
    kubernetes: Kubernetes,
    folder: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Shell> {
    const cli = fileURLToPath(import.meta.resolve("../../cli/src/main.ts"));
    const programs = {
      kubectl: `exec ${kubernetes.description.kubectl} "$@"`,
      rookery: `exec ${process.execPath} ${cli} "$@"`,
      ...more,
    };
    for (const [name, line] of Object.entries(programs)) {
      await writeFile(join(folder, name), `#!/bin/sh\n${line}\n`);
      await chmod(join(folder, name), 0o755);
    }
    const PATH = `${folder}:${process.env.PATH}`;
    return new Shell({ ...process.env, PATH, KUBECONFIG: kubernetes.kubeconfig });
  }

  private constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  /** Runs commands; the first that fails ends them. */
  run(commands: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    return runCommand("sh", ["-euc", commands], { env: { ...this.#env, ...env } });
  }
}
