import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { type Client, getOptional } from "@rookery/client";
import type { Component } from "@rookery/components";
import { builtInResources } from "@rookery/kube";
import type { Secret } from "@rookery/runtime";
import { type Kubernetes, waitFor } from "@rookery/testing";

/** A webhook that allows everything, and serves what it was last told to mount. */
export class CertifiedWebhook implements AsyncDisposable {
  readonly #kubernetes: Kubernetes;
  readonly #client: Client;
  readonly #server: Server;
  #looks = 0;

  private constructor(kubernetes: Kubernetes, client: Client, server: Server) {
    this.#kubernetes = kubernetes;
    this.#client = client;
    this.#server = server;
  }

  static async start(kubernetes: Kubernetes, client: Client): Promise<CertifiedWebhook> {
    const server = createServer(async (request, response) => {
      const { request: asked } = JSON.parse((await request.toArray()).join(""));
      const review = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" };
      // Every call makes a connection of its own, and so sees what is served now.
      response.setHeader("connection", "close");
      response.end(JSON.stringify({ ...review, response: { uid: asked.uid, allowed: true } }));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new CertifiedWebhook(kubernetes, client, server);
  }

  get url(): string {
    return `https://localhost:${(this.#server.address() as AddressInfo).port}/validate`;
  }

  /** What a kubelet does, sooner or later. */
  async mount(namespace: string, name: string): Promise<void> {
    const { data } = await this.#client
      .resource<Secret>(builtInResources.secrets)
      .get({ namespace, name });
    const text = (field: string) => Buffer.from(data?.[field] ?? "", "base64").toString();
    this.#server.setSecureContext({ cert: text("tls.crt"), key: text("tls.key") });
  }

  /**
   * Waits until the API server acts on all configurations as they are: it takes them up in order, so
   * that once a new one counts, which nothing answers, those before it do. The one of an earlier look
   * may count for a moment longer than it is there.
   */
  async noticed(namespace: string): Promise<void> {
    const name = `${namespace}-noticed-${this.#looks++}`;
    const webhook = {
      name: "nobody.example.com",
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      clientConfig: { url: "https://127.0.0.1:1/" },
      objectSelector: { matchLabels: { called: name } },
      rules: [
        { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] },
      ],
    };
    const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    const body = { metadata: { name }, webhooks: [webhook] };
    await this.#kubernetes.request("POST", path, { body });
    const isActive = async () => (await this.call(namespace, name)) !== "allowed";
    await waitFor(isActive, { what: "the API server to take up webhooks" });
    await this.#kubernetes.request("DELETE", `${path}/${name}`);
  }

  /** "allowed", or why the API server could not call it. */
  async call(namespace: string, called = namespace): Promise<string> {
    const path = `/api/v1/namespaces/${namespace}/configmaps?dryRun=All`;
    const metadata = { generateName: "called-", labels: { called } };
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata };
    const answer = await this.#kubernetes.request("POST", path, { body });
    return answer.status === 201 ? "allowed" : String(answer.body.message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}

/** Applies components as the operator does. */
export async function applyAll(client: Client, components: readonly Component[]): Promise<void> {
  for (const component of components) {
    const resource = await client.kind<Component>(component);
    await resource.apply(component, { fieldManager: "rookery-operator", force: true });
  }
}

/** Undefined where there is none. */
export function secretOf(
  client: Client,
  namespace: string,
  name: string,
): Promise<Secret | undefined> {
  const secrets = client.resource<Secret>(builtInResources.secrets);
  return getOptional(secrets, { namespace, name });
}
