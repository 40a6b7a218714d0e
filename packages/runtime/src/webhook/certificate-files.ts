import { watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@rookery/errors";
import { type CertificateAndKey, keyMatchesCertificate } from "@rookery/pki";
import { onAbort } from "../clock/abort.ts";
import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { pause } from "../clock/sleep.ts";
import { CertificateFilesError } from "../errors.ts";
import type { CertificateSource } from "../http-server/certified-server.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";

/** The metrics of certificate files, named as in controller-runtime. */
export interface CertificateMetrics {
  read(): void;
  readError(): void;
}

interface CertificateFileSystem {
  read(path: string): Promise<string>;
  /** Calls back after a possible change in the folder; does nothing if the folder cannot be watched. */
  watch(folder: string, onChange: () => void): Disposable;
}

export interface CertificateFilesOptions {
  /** From --webhook-cert-dir: contains tls.crt and tls.key, like a mounted Secret. */
  readonly folder: string;
  /** The interval of reads without a notification, in milliseconds; 10 s by default. */
  readonly pollMs?: number;
  readonly metrics?: CertificateMetrics;
  readonly logger?: Logger;
  readonly clock?: MonotonicClock;
  readonly files?: CertificateFileSystem;
}

/** The delay before a pair is read again that does not match: it may be written at the moment. */
const settleMs = 500;

/** The certificate in two files, read again when they change. */
export function createCertificateFiles(options: CertificateFilesOptions): CertificateSource {
  return new CertificateFiles(options);
}

class CertificateFiles implements CertificateSource {
  readonly #options: CertificateFilesOptions;
  readonly #clock: MonotonicClock;
  readonly #files: CertificateFileSystem;
  readonly #logger: Logger;
  #served: CertificateAndKey | undefined;
  #problem = "";
  #wake = new AbortController();

  constructor(options: CertificateFilesOptions) {
    const { clock = systemClock, files = nodeFiles, logger = silentLogger } = options;
    this.#options = options;
    this.#clock = clock;
    this.#files = files;
    this.#logger = logger.withName("certificate-files").withValues({ folder: options.folder });
  }

  async run(signal: AbortSignal, serve: (pair: CertificateAndKey) => void): Promise<void> {
    const { folder, pollMs = 10_000 } = this.#options;
    const wake = () => this.#wake.abort();
    using _ = this.#files.watch(folder, wake);
    onAbort(signal, wake);
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const isServed = await this.#serveNew(serve);
      const wait = isServed ? pollMs : Math.min(pollMs, settleMs);
      await pause(wait, this.#clock, this.#wake.signal);
    }
  }

  async #serveNew(serve: (pair: CertificateAndKey) => void | Promise<void>): Promise<boolean> {
    try {
      const pair = await this.#read();
      this.#problem = "";
      const { certificate, key } = this.#served ?? {};
      if (pair.certificate === certificate && pair.key === key) return true;
      await serve(pair);
      this.#served = pair;
      this.#logger.info("Serving a new certificate");
      return true;
    } catch (error) {
      this.#report(error);
      return false;
    }
  }

  async #read(): Promise<CertificateAndKey> {
    const { folder, metrics } = this.#options;
    metrics?.read();
    // One after another, so that the error always names the same file if both are missing.
    const certificate = await this.#files.read(join(folder, "tls.crt"));
    const key = await this.#files.read(join(folder, "tls.key"));
    if (keyMatchesCertificate(key, certificate)) return { certificate, key };
    throw new CertificateFilesError(folder, "tls.key does not belong to tls.crt");
  }

  /** Logs each problem once. */
  #report(error: unknown): void {
    this.#options.metrics?.readError();
    const problem = messageOf(error);
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#logger.error(error, "Could not read certificate, will try again");
  }
}

const nodeFiles: CertificateFileSystem = {
  read: (path) => readFile(path, "utf8"),
  watch(folder, onChange) {
    try {
      const watcher = watch(folder, { persistent: false }, onChange);
      watcher.on("error", () => watcher.close());
      return { [Symbol.dispose]: () => watcher.close() };
    } catch {
      // The interval of reads finds the changes.
      return { [Symbol.dispose]: () => {} };
    }
  },
};
