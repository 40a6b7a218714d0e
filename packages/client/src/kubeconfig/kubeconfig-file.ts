import { readFile } from "node:fs/promises";
import { ConfigError } from "../errors.ts";
import { Fields } from "./fields.ts";

/** One or several merged kubeconfig files. Each entry knows its file. */
export interface Kubeconfig {
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, Fields>;
  readonly users: ReadonlyMap<string, Fields>;
  readonly contexts: ReadonlyMap<string, Fields>;
}

/** Undefined for a missing file. Rejects with ConfigError if it is unreadable. */
export async function readKubeconfig(file: string): Promise<Kubeconfig | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new ConfigError(`it cannot be read: ${code ?? message}`, { file }, { cause: error });
  }
  return parseKubeconfig(text, file);
}

/** `file` is for messages. Rejects with ConfigError. */
export async function parseKubeconfig(text: string, file: string): Promise<Kubeconfig> {
  return interpret(new Fields(await parse(text, file), { file }), file);
}

/** Errors must not contain the text, which may be a secret, so there is no cause either. */
async function parse(text: string, file: string): Promise<unknown> {
  if (text.trimStart().startsWith("{")) {
    try {
      return JSON.parse(text);
    } catch {
      // YAML reports the place.
    }
  }
  const { parseYamlDocument, plainValue, YamlError } = await import("@rookery/yaml");
  try {
    const document = parseYamlDocument(text, { merge: true });
    const [error] = document.errors;
    if (error !== undefined) {
      const [{ line = 0, col = 0 } = {}] = error.linePos ?? [];
      const why = `it is not YAML: ${error.code} at line ${line}, column ${col}`;
      throw new ConfigError(why, { file });
    }
    return plainValue(document);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const why = error.code === "BadAlias" ? "an alias cannot be resolved" : error.code;
    throw new ConfigError(`it is not YAML: ${why}`, { file });
  }
}

function interpret(fields: Fields, file: string): Kubeconfig {
  const kind = fields.string("kind") ?? "Config";
  const apiVersion = fields.string("apiVersion") ?? "v1";
  if (kind !== "Config" || apiVersion !== "v1") {
    throw new ConfigError(`it is ${apiVersion} ${kind}, not v1 Config`, { file });
  }
  return {
    files: [file],
    currentContext: fields.string("current-context"),
    clusters: named(fields, "clusters", "cluster"),
    users: named(fields, "users", "user"),
    contexts: named(fields, "contexts", "context"),
  };
}

function named(
  fields: Fields,
  list: "clusters" | "users" | "contexts",
  noun: "cluster" | "user" | "context",
): ReadonlyMap<string, Fields> {
  const found = new Map<string, Fields>();
  for (const item of fields.entries(list)) {
    const name = item.string("name");
    if (name === undefined) throw item.fail("name", "it is missing");
    if (found.has(name)) throw item.fail("name", `${JSON.stringify(name)} is there twice`);
    const place = { file: fields.place.file, [noun]: name };
    found.set(name, new Fields(item.any(noun), place));
  }
  return found;
}

/**
 * As client-go: the first file with an entry, or with current-context, wins; entries are never
 * combined.
 */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const merge = (list: "clusters" | "users" | "contexts") =>
    new Map(configs.toReversed().flatMap((config) => [...config[list]]));
  return {
    files: configs.flatMap((config) => config.files),
    currentContext: configs.find((config) => config.currentContext)?.currentContext,
    clusters: merge("clusters"),
    users: merge("users"),
    contexts: merge("contexts"),
  };
}
