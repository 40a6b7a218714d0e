import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Context, collectBody, createHttpClient } from "@rookery/http";
import { createCertificateAuthority, parseCertificate } from "@rookery/pki";
import {
  type Child,
  createTemporaryFolder,
  ensureGoProgram,
  startChild,
  type TemporaryFolder,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { simulatorSource } from "@rookery/vsphere";
import { connectVCenter, type VCenter } from "../src/vim/connect.ts";
import { login } from "../src/vim/session.ts";

type Accounts = Readonly<Record<string, string>>;

export interface SimulatorOptions {
  readonly accounts?: Accounts;
  readonly datacenters?: number;
  readonly machines?: number;
  /** Of this machine, where it listens; loopback unless told otherwise. */
  readonly address?: string;
}

/** govmomi's simulator: it speaks SOAP over TLS as a vCenter does. */
export interface Simulator extends AsyncDisposable {
  /** Host and port. */
  readonly server: string;
  readonly ca: string;
  /** SHA-1, as vCenters show it. */
  readonly thumbprint: string;
  /** Replaces all accounts; sessions that are open go on, as on a real vCenter. */
  setAccounts(accounts: Accounts): Promise<void>;
  /** How long a session may be idle, such as "2s". */
  setSessionTimeout(timeout: string): Promise<void>;
  /** Ends it and starts it anew at the same place: all that was made in it is gone. */
  restart(): Promise<void>;
}

/** Why there is no simulator on this machine; false where there is one. */
export function simulatorUnavailable(): Promise<string | false> {
  return whyUnavailable(program);
}

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder("vcsim"));
  const { address = "127.0.0.1" } = options;
  const certificate = await writeCertificate(folder, address);
  const simulator = new RunningSimulator(folder, { ...options, ...certificate });
  stack.use(simulator);
  await simulator.start(`${address}:0`);
  stack.move();
  return simulator;
}

/** Someone who looks at a simulator that has the account "observer". */
export async function observe({ server, ca }: Simulator): Promise<VCenter> {
  const vcenter = await connectVCenter({ server, ca });
  await login(vcenter, { username: "observer", password: "observer" });
  return vcenter;
}

function program(): Promise<string> {
  return ensureGoProgram(simulatorSource);
}

interface Certificate {
  readonly ca: string;
  readonly thumbprint: string;
}

async function writeCertificate(folder: TemporaryFolder, address: string): Promise<Certificate> {
  const authority = await createCertificateAuthority({ commonName: "vcsim" });
  const { certificate, key } = await authority.issue({
    commonName: "vcsim",
    ipAddresses: [address],
    usages: ["server"],
  });
  await writeFile(join(folder.path, "tls.crt"), certificate);
  await writeFile(join(folder.path, "tls.key"), key, { mode: 0o600 });
  return {
    ca: authority.certificate,
    thumbprint: parseCertificate(certificate).fingerprints.sha1,
  };
}

class RunningSimulator implements Simulator {
  readonly ca: string;
  readonly thumbprint: string;
  readonly #folder: TemporaryFolder;
  readonly #options: SimulatorOptions;
  #accounts: Accounts;
  #child: Child | undefined;
  #server = "";
  #starts = 0;

  constructor(folder: TemporaryFolder, options: SimulatorOptions & Certificate) {
    this.#folder = folder;
    this.#options = options;
    this.#accounts = options.accounts ?? { administrator: "secret" };
    this.ca = options.ca;
    this.thumbprint = options.thumbprint;
  }

  get server(): string {
    return this.#server;
  }

  async start(address: string): Promise<void> {
    const { datacenters = 1, machines = 2 } = this.#options;
    const { path } = this.#folder;
    this.#starts += 1;
    const log = join(path, `vcsim-${this.#starts}.log`);
    const child = await startChild({
      name: "vcsim",
      command: await program(),
      args: [
        `--listen=${address}`,
        `--cert=${join(path, "tls.crt")}`,
        `--key=${join(path, "tls.key")}`,
        `--datacenters=${datacenters}`,
        `--machines=${machines}`,
      ],
      log,
    });
    this.#child = child;
    this.#server = await waitFor(() => addressIn(child, log), { what: "vcsim", timeout: 60_000 });
    await this.setAccounts(this.#accounts);
  }

  async setAccounts(accounts: Accounts): Promise<void> {
    this.#accounts = accounts;
    await this.#control({ accounts });
  }

  setSessionTimeout(sessionTimeout: string): Promise<void> {
    return this.#control({ sessionTimeout });
  }

  async restart(): Promise<void> {
    await this.#child?.kill();
    await this.start(this.#server);
  }

  async #control(command: object): Promise<void> {
    await using http = createHttpClient({
      origin: `https://${this.#server}`,
      tls: { ca: this.ca },
    });
    const response = await http.handler({
      method: "POST",
      path: "/control",
      query: "",
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(command)),
      signal: new AbortController().signal,
      context: Context.empty,
    });
    const text = Buffer.from(await collectBody(response.body, { limit: 4096 })).toString();
    if (response.status !== 200) throw new Error(`could not control vcsim: ${text}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child?.kill();
    await this.#folder[Symbol.asyncDispose]();
  }
}

/** The first line that it prints. */
async function addressIn(child: Child, log: string): Promise<string | undefined> {
  child.assertRunning();
  const text = await readFile(log, "utf8");
  return text.includes("\n") ? text.slice(0, text.indexOf("\n")) : undefined;
}
