import { readFile } from "node:fs/promises";
import { CredentialError } from "../errors.ts";
import type { Timekeeper } from "../timekeeper.ts";
import type { Credential, CredentialSource } from "./credential.ts";

/** Half of the time between kubelet's renewal of a 10-minute token and its end, less 10 s. */
const rereadAfter = 50_000;

export interface TokenFileOptions {
  readonly file: string;
  /** The token while the file is unreadable. */
  readonly token?: string | undefined;
  readonly timekeeper: Timekeeper;
}

/** A bearer token from a file that another process renews, such as kubelet. */
export class TokenFile implements CredentialSource {
  readonly #file: string;
  readonly #timekeeper: Timekeeper;
  #credential: Credential | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<Credential> | undefined;

  constructor({ file, token, timekeeper }: TokenFileOptions) {
    this.#file = file;
    this.#timekeeper = timekeeper;
    if (token !== undefined) this.#credential = bearer(token);
  }

  get(): Credential | Promise<Credential> {
    const fresh = this.#timekeeper.now() - this.#readAt < rereadAfter;
    return fresh && this.#credential ? this.#credential : this.#read();
  }

  async renew(refused: Credential): Promise<Credential | undefined> {
    const current = this.#credential === refused ? await this.#read() : this.#credential;
    return current === refused ? undefined : current;
  }

  close(): void {}

  #read(): Promise<Credential> {
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Keeps the previous token on errors, because the server may still accept it. */
  async #readOnce(): Promise<Credential> {
    this.#readAt = this.#timekeeper.now();
    try {
      const next = bearer(await readToken(this.#file));
      if (next.authorization !== this.#credential?.authorization) this.#credential = next;
    } catch (error) {
      if (this.#credential === undefined) throw error;
    }
    return this.#credential as Credential;
  }
}

async function readToken(file: string): Promise<string> {
  let token: string;
  try {
    token = (await readFile(file, "utf8")).trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = `the token file ${file} cannot be read: ${code ?? message}`;
    throw new CredentialError(reason, { cause: error });
  }
  if (token === "") throw new CredentialError(`the token file ${file} is empty`);
  return token;
}

function bearer(token: string): Credential {
  return { authorization: `Bearer ${token}` };
}
