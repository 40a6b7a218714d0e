import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import type { PemSource } from "./client-config.ts";
import type { Fields } from "./fields.ts";

/** A path that a kubeconfig names, resolved against the folder of that kubeconfig. */
export function resolvePath(path: string, fields: Fields): string {
  if (isAbsolute(path)) return path;
  return resolve(dirname(fields.place.file ?? ""), path);
}

/** PEM from `<field>-data`, else from the file that `field` names. The data wins. */
export async function pemField(fields: Fields, field: string): Promise<PemSource | undefined> {
  const data = fields.base64(`${field}-data`);
  if (data !== undefined) return { pem: checked(data, fields, `${field}-data`) };
  const path = fields.string(field);
  if (path === undefined) return undefined;
  const file = resolvePath(path, fields);
  return { pem: checked(await readReference(file, fields, field), fields, field), file };
}

/** Reads a file that a field names. */
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
