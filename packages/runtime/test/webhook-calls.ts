import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "node:tls";
import { type Kubernetes, waitFor } from "@rookery/testing";
import { group, rotating, rotationLabel, servicePorts } from "./nest-manager-manifests.ts";

/** Lets an API server call the webhooks all the time, over connections that are made anew ever again. */
export class WebhookCalls implements AsyncDisposable {
  answered = 0;
  readonly failures: string[] = [];
  readonly #kubernetes: Kubernetes;
  readonly #namespace: string;
  readonly #running: Promise<unknown>;
  #moves = 0;
  #stopped = false;

  constructor(kubernetes: Kubernetes, namespace: string) {
    this.#kubernetes = kubernetes;
    this.#namespace = namespace;
    this.#running = Promise.all([this.#call(), this.#move()]);
  }

  /** Waits until the API server has connected anew so many times from now on. */
  async connectAnew(times: number): Promise<void> {
    const enough = this.#moves + times;
    await waitFor(() => this.#moves >= enough, { what: "new connections" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #call(): Promise<void> {
    const path = `/apis/${group}/v1/namespaces/${this.#namespace}/nests?dryRun=All`;
    const metadata = { generateName: "called-", labels: { [rotationLabel]: "" } };
    const nest = { apiVersion: `${group}/v1`, kind: "Nest", metadata, spec: { eggs: 1 } };
    while (!this.#stopped) {
      const { status, body } = await this.#kubernetes.request("POST", path, { body: nest });
      if (status === 201) this.answered++;
      else this.failures.push(body.message);
      await delay(50);
    }
  }

  /** The API server keeps one connection for each address; another port is another address. */
  async #move(): Promise<void> {
    while (!this.#stopped) {
      const port = servicePorts[this.#moves % servicePorts.length];
      for (const name of rotating) await this.#moveTo(name, port ?? 443);
      const answered = this.answered;
      await waitFor(() => this.#stopped || this.answered >= answered + 5, { what: "calls" });
      this.#moves++;
    }
  }

  async #moveTo(name: string, value: number): Promise<void> {
    const path = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${name}`;
    const body = [{ op: "replace", path: "/webhooks/0/clientConfig/service/port", value }];
    const contentType = "application/json-patch+json";
    await this.#kubernetes.request("PATCH", path, { body, contentType });
  }
}

/** The name of the authority that issued what is served there. */
export async function issuerAt(host: string, port: number): Promise<string> {
  const socket = connect({ host, port, rejectUnauthorized: false });
  try {
    await once(socket, "secureConnect");
    return String(socket.getPeerCertificate().issuer.CN);
  } finally {
    socket.destroy();
  }
}
