import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import { isRecord } from "@rookery/kube";
import { ConfigError, type ConfigPlace } from "../errors.ts";
import type { PemSource } from "./client-config.ts";

/** Reads the fields of one kubeconfig entry; empty ones count as absent, as in client-go. */
export class Fields {
  readonly place: ConfigPlace;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #prefix: string;

  constructor(values: unknown, place: ConfigPlace, prefix = "") {
    this.place = place;
    this.#prefix = prefix;
    if (values !== undefined && values !== null && !isRecord(values)) {
      throw new ConfigError("it must be a mapping", { ...place, field: prefix.slice(0, -1) });
    }
    this.#values = values ?? {};
  }

  /** The error must not contain the value, which may be a secret. */
  fail(field: string, reason: string, options?: ErrorOptions): ConfigError {
    return new ConfigError(reason, { ...this.place, field: this.#prefix + field }, options);
  }

  /** The same entry with more details of its place. */
  at(place: ConfigPlace): Fields {
    return new Fields(this.#values, { ...this.place, ...place }, this.#prefix);
  }

  string(field: string): string | undefined {
    const value = this.#values[field] ?? "";
    if (typeof value === "string") return value === "" ? undefined : value;
    throw this.fail(field, "it must be text; put it in quotes");
  }

  boolean(field: string): boolean {
    const value = this.#values[field] ?? false;
    if (typeof value === "boolean") return value;
    throw this.fail(field, "it must be true or false");
  }

  strings(field: string): readonly string[] {
    const value = this.#values[field] ?? [];
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
    throw this.fail(field, "it must be a list of texts");
  }

  has(field: string): boolean {
    return (this.#values[field] ?? undefined) !== undefined;
  }

  any(field: string): unknown {
    return this.#values[field];
  }

  entry(field: string): Fields {
    return new Fields(this.#values[field], this.place, `${this.#prefix}${field}.`);
  }

  names(): readonly string[] {
    return Object.keys(this.#values);
  }

  entries(field: string): readonly Fields[] {
    const value = this.#values[field] ?? [];
    if (!Array.isArray(value)) throw this.fail(field, "it must be a list");
    return value.map((item, i) => new Fields(item, this.place, `${this.#prefix}${field}[${i}].`));
  }

  /** For fields that end in "-data". */
  base64(field: string): string | undefined {
    const text = this.string(field)?.replaceAll(/\s/g, "");
    if (text === undefined) return undefined;
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) {
      throw this.fail(field, "it must be base64");
    }
    return Buffer.from(text, "base64").toString("utf8");
  }
}

/** Relative to the folder of the kubeconfig. */
export function resolvePath(path: string, fields: Fields): string {
  if (isAbsolute(path)) return path;
  return resolve(dirname(fields.place.file ?? ""), path);
}

/** From `<field>-data`, or else from the file of `field`. */
export async function pemField(fields: Fields, field: string): Promise<PemSource | undefined> {
  const data = fields.base64(`${field}-data`);
  if (data !== undefined) return { pem: checked(data, fields, `${field}-data`) };
  const path = fields.string(field);
  if (path === undefined) return undefined;
  const file = resolvePath(path, fields);
  return { pem: checked(await readReference(file, fields, field), fields, field), file };
}

export async function readReference(file: string, fields: Fields, field: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw fields.fail(field, `${file} cannot be read: ${code ?? message}`, { cause: error });
  }
}

function checked(pem: string, fields: Fields, field: string): string {
  if (pem.includes("-----BEGIN ")) return pem;
  throw fields.fail(field, "it holds no PEM block");
}
