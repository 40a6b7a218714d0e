import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CertificateAndKey } from "@rookery/pki";
import { replacePrivateFile } from "../store/private-files.ts";

/** Certificates and keys as private files `<name>.crt` and `<name>.key`. */
export class PkiFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined if a file is missing. */
  async read(name: string): Promise<CertificateAndKey | undefined> {
    const [certificate, key] = await Promise.all([
      this.#text(name, "crt"),
      this.#text(name, "key"),
    ]);
    return certificate && key ? { certificate, key } : undefined;
  }

  /** Each file is replaced atomically; a pair that was interrupted in between does not match. */
  async write(name: string, { certificate, key }: CertificateAndKey): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    replacePrivateFile(join(this.#folder, `${name}.key`), key);
    replacePrivateFile(join(this.#folder, `${name}.crt`), certificate);
  }

  async #text(name: string, ending: string): Promise<string | undefined> {
    try {
      return await readFile(join(this.#folder, `${name}.${ending}`), "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    }
  }
}
