import { randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SecretData } from "@rookery/pki";
import { ProxyFileError } from "../errors.ts";
import { writeFileAtomically } from "../files.ts";

/** State that survives restarts, because apps read the proxy's files only once. */
export interface ProxyState {
  loadCertificates(): Promise<SecretData | undefined>;
  saveCertificates(data: SecretData): Promise<void>;
  /** The token of apps, created on demand. */
  appToken(): Promise<string>;
  /** The key that seals `continue` tokens, created on demand. */
  continueKey(): Promise<Uint8Array>;
}

const secretBytes = 32;

/** State in a folder that only its owner may read, or in memory without a folder. */
export function createProxyState(folder: string | undefined, prefix = ""): ProxyState {
  const certificates = `${prefix}certificates.json`;
  const kept = folder === undefined ? inMemory() : inFolder(folder);
  const secret = async (name: string) => {
    const known = await kept.read(name);
    if (known) return known;
    const made = randomBytes(secretBytes).toString("base64url");
    await kept.write(name, made);
    return made;
  };
  return {
    async loadCertificates() {
      const text = await kept.read(certificates);
      return text === undefined
        ? undefined
        : parseCertificates(text, join(folder ?? "", certificates));
    },
    saveCertificates: (data) => kept.write(certificates, JSON.stringify(data)),
    appToken: () => secret("app-token"),
    async continueKey() {
      const file = "continue-key";
      const key = Buffer.from(await secret(file), "base64url");
      if (key.length === secretBytes) return key;
      const why = "it is damaged; delete it, and lists that go on begin anew";
      throw new ProxyFileError("read", join(folder ?? "", file), { why });
    },
  };
}

function parseCertificates(text: string, file: string): SecretData {
  try {
    return JSON.parse(text) as SecretData;
  } catch (cause) {
    const why = "it is damaged; delete it, and start apps again that trust its authority";
    throw new ProxyFileError("read", file, { why, cause });
  }
}

interface Texts {
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
}

function inMemory(): Texts {
  const texts = new Map<string, string>();
  return {
    read: async (name) => texts.get(name),
    write: async (name, text) => void texts.set(name, text),
  };
}

function inFolder(folder: string): Texts {
  return {
    async read(name) {
      const file = join(folder, name);
      try {
        return await readFile(file, "utf8");
      } catch (cause) {
        const { code, message } = cause as NodeJS.ErrnoException;
        if (code === "ENOENT") return undefined;
        throw new ProxyFileError("read", file, { why: message, cause });
      }
    },
    async write(name, text) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFileAtomically(join(folder, name), text, 0o600);
    },
  };
}
