import type { CustomResourceDefinition } from "./binaries/cluster-api.ts";

/** The kind of a Kubernetes: an API server alone, a real node with pods, or the embedded one. */
export type Flavour = "kube-apiserver" | "node" | "embedded";

/** The data by which another process can use a running Kubernetes. */
export interface KubernetesDescription {
  readonly flavour: Flavour;
  readonly version: string;
  readonly server: string;
  /** Holds `pki`, `logs` and `kubeconfig`. */
  readonly folder: string;
  readonly kubectl: string;
  readonly controllerManager: boolean;
}

/** A client certificate and its key, in PEM. */
export interface Credentials {
  readonly certificate: string;
  readonly key: string;
}

/** A user, without any rights of its own. */
export interface User extends Credentials {
  readonly name: string;
  readonly groups: readonly string[];
  /** The path of a kubeconfig that acts as this user. */
  readonly kubeconfig: string;
}

/** An account of pods, with the rights that its bindings give it. */
export interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
  /** The path of a kubeconfig with a token of the account. */
  readonly kubeconfig: string;
}

export interface RequestOptions {
  /** An object is sent as JSON, text and bytes as they are. */
  readonly body?: unknown;
  /** The type of the body; JSON by default, and a merge patch with PATCH. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The user; the administrator by default. `"anonymous"` sends no certificate. */
  readonly as?: Credentials | "anonymous";
  readonly signal?: AbortSignal;
}

export interface KubernetesResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Parsed where the answer is JSON, else the text. */
  // biome-ignore lint/suspicious/noExplicitAny: what a path answers is known to the test alone
  readonly body: any;
}

export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  // biome-ignore lint/suspicious/noExplicitAny: what a path answers is known to the test alone
  readonly object: any;
}

/** A namespace of one test; its deletion is begun when it is disposed of. */
export interface TestNamespace extends AsyncDisposable {
  readonly name: string;
}

/** The API server as a process, for tests of what happens without it. */
export interface ApiServerControl {
  /** Ends it; with `kill` it has no chance to finish anything. Data stays. */
  stop(options?: { readonly kill?: boolean }): Promise<void>;
  /** Starts it again at the same address and waits until it is ready. */
  start(): Promise<void>;
  restart(options?: { readonly kill?: boolean }): Promise<void>;
}

/**
 * A Kubernetes to write tests against, whatever it is made of. Tests share one unless they ask for
 * a private one; they keep apart by namespaces of their own and leave no cluster-wide objects.
 */
export interface Kubernetes extends AsyncDisposable {
  readonly flavour: Flavour;
  /** As `/version` says it: "v1.34.4". */
  readonly version: string;
  /** "https://127.0.0.1:34567" */
  readonly server: string;
  /** The certificate of the authority that signed the server's, in PEM. */
  readonly ca: string;
  readonly admin: Credentials;
  /** The path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** The folder with a log of each process. */
  readonly logs: string;
  readonly description: KubernetesDescription;
  /** Only of a private Kubernetes; of a shared one each call throws. */
  readonly apiServer: ApiServerControl;

  /** Any answer of the server is returned, errors too; only a failed connection throws, RequestError. */
  request(method: string, path: string, options?: RequestOptions): Promise<KubernetesResponse>;
  /** Ends when the server ends the watch; leaving the loop closes the connection. */
  watch(path: string, options?: RequestOptions): AsyncGenerator<WatchEvent, void, void>;
  /** Creates or updates a CRD and waits until its kinds are served. */
  applyCrd(crd: CustomResourceDefinition): Promise<void>;
  /** What it prints; throws CommandFailedError with what it says. */
  kubectl(args: readonly string[], options?: { readonly stdin?: string }): Promise<string>;
  createNamespace(prefix: string): Promise<TestNamespace>;
  user(options: { readonly name: string; readonly groups?: readonly string[] }): Promise<User>;
  /** The account has to exist: `installAccess` creates those of a release. */
  serviceAccount(key: {
    readonly namespace: string;
    readonly name: string;
  }): Promise<ServiceAccount>;
}
