import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { HealthCheck, Logger, MonotonicClock, Runnable } from "@rookery/runtime";
import { waitUntil } from "../certificates/wait-until.ts";
import { FilesNotWrittenError } from "../errors.ts";
import { writeFileAtomically } from "../files.ts";
import { type AppToken, appKubeconfig } from "./app-kubeconfig.ts";

export interface AppFilesOptions {
  /** The address for apps on this machine; called when the proxy listens. */
  readonly server: () => string;
  /** The trusted authorities in PEM; undefined without TLS. */
  readonly authorities: () => Promise<string | undefined>;
  readonly namespace: string;
  /** The token for the app; undefined where the app has its own. */
  readonly token?: AppToken;
  /** From --ca-file-out. */
  readonly caFile?: string;
  /** From --app-kubeconfig-out. */
  readonly kubeconfig?: string;
  /** From --app-service-account-dir. */
  readonly serviceAccountFolder?: string;
  readonly logger: Logger;
  readonly clock: MonotonicClock;
}

/** The shortest token lasts ten minutes, and kubelet renews it two minutes before its end. */
const periodMs = 5_000;
/** As kubelet: the containers of a pod run as different users. */
const sharedMode = 0o644;
const privateMode = 0o600;

/**
 * The files with the address of the proxy, its authority and the app's token, kept in sync with
 * renewals by kubelet and the proxy. An error in the first write is fatal.
 */
export interface AppFiles extends Runnable {
  /** For readiness: fails until all files are written. */
  readonly writtenCheck: HealthCheck;
}

export function createAppFiles(options: AppFilesOptions): AppFiles {
  const { logger, clock } = options;
  const writer = new Writer(options);
  let written = false;
  return {
    name: "app files",
    group: "others",
    writtenCheck() {
      if (!written) throw new FilesNotWrittenError();
    },
    async start(signal) {
      await writer.writeAll();
      written = true;
      for (;;) {
        await waitUntil(periodMs, clock, signal);
        if (signal.aborted) return;
        await writer.writeAll().catch((error) => {
          logger.error(error, "Could not renew the app's files, will try again");
        });
      }
    },
  };
}

class Writer {
  readonly #options: AppFilesOptions;
  readonly #written = new Map<string, string>();

  constructor(options: AppFilesOptions) {
    this.#options = options;
  }

  async writeAll(): Promise<void> {
    const { caFile, serviceAccountFolder, kubeconfig, authorities } = this.#options;
    if (!caFile && !serviceAccountFolder && !kubeconfig) return;
    const ca = await authorities();
    if (caFile && ca !== undefined) await this.#write(caFile, ca, sharedMode);
    if (serviceAccountFolder) await this.#writeServiceAccount(serviceAccountFolder, ca ?? "");
    if (kubeconfig) {
      await this.#write(kubeconfig, await appKubeconfig(this.#options, ca), privateMode);
    }
  }

  async #writeServiceAccount(folder: string, ca: string): Promise<void> {
    const { namespace, token } = this.#options;
    await mkdir(folder, { recursive: true });
    await this.#write(join(folder, "ca.crt"), ca, sharedMode);
    await this.#write(join(folder, "namespace"), namespace, sharedMode);
    if (token) await this.#write(join(folder, "token"), await token.read(), sharedMode);
  }

  async #write(file: string, text: string, mode: number): Promise<void> {
    if (this.#written.get(file) === text) return;
    await writeFileAtomically(file, text, mode);
    this.#written.set(file, text);
  }
}
