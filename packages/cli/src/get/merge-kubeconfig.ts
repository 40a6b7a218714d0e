import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, realpath, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ClientConfig, PemSource } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import { type Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import type { CommandIo } from "../command.ts";
import { KubeconfigFileError } from "../errors.ts";

/** The cluster of an entry, which is never overwritten for another one. */
interface MergedCluster {
  readonly namespace: string;
  readonly name: string;
  /** The URL of its management cluster. */
  readonly management: string;
}

export interface MergeOptions {
  readonly file: string;
  /** The name of the context, the cluster and the user. */
  readonly entry: string;
  readonly cluster: MergedCluster;
  /** From `parseUntrustedConfig`, so it names no programs and no files. */
  readonly config: ClientConfig;
  readonly isCurrent: boolean;
}

/** The extension that marks a context as Rookery's, and names its cluster. */
const extensionName = "rookery.dev";
/** The time for which another program may lock the file. */
const lockMs = 5_000;
const lockPauseMs = 100;

/** The file that kubectl changes: of the flag, the first existing one of KUBECONFIG, or the default. */
export async function kubeconfigFile(
  path: string | undefined,
  env: CommandIo["env"],
): Promise<string> {
  if (path) return path;
  const named = (env.KUBECONFIG ?? "").split(delimiter).filter((one) => one !== "");
  for (const one of named) if ((await readText(one)) !== undefined) return one;
  return named.at(-1) ?? join(env.HOME || homedir(), ".kube", "config");
}

/**
 * Adds a cluster to a kubeconfig as a context of its own. Other entries, and comments, stay. Returns the
 * previous current context. Throws KubeconfigFileError, after which the file is unchanged.
 *
 * Guarantees: an entry of another cluster is never replaced; the file is replaced atomically, under
 * kubectl's lock, and only its owner can read it.
 */
export async function mergeKubeconfig(options: MergeOptions): Promise<string | undefined> {
  const file = await realpath(options.file).catch(() => options.file);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await using _ = await lock(file);
  const document = parse(file, (await readText(file)) ?? "");
  rejectForeign(document, file, options);
  const before = document.get("current-context");
  const text = changed(document, file, options);
  await replace(file, text);
  return typeof before === "string" && before !== "" ? before : undefined;
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new KubeconfigFileError(file, `it can't be read (${(cause as Error).message})`, cause);
  }
}

function parse(file: string, text: string): Document {
  const document = parseDocument(text) as Document;
  const [error] = document.errors;
  if (error) throw new KubeconfigFileError(file, `it is no YAML: ${error.message}`);
  if (document.contents === null) {
    document.contents = document.createNode({ apiVersion: "v1", kind: "Config" });
  }
  if (!isMap(document.contents)) throw new KubeconfigFileError(file, "it is no kubeconfig");
  return document;
}

/** Throws KubeconfigFileError if an entry of this name is not Rookery's. */
function rejectForeign(document: Document, file: string, { entry, cluster }: MergeOptions): void {
  const taken = ["contexts", "clusters", "users"].filter((list) => find(document, list, entry));
  if (taken.length === 0) return;
  const context = find(document, "contexts", entry)?.toJS(document).context;
  const extensions: readonly { name?: string; extension?: object }[] = context?.extensions ?? [];
  const own = extensions.find(({ name }) => name === extensionName)?.extension;
  const { namespace, name, management } = Object(own) as Partial<MergedCluster>;
  const isOurs =
    namespace === cluster.namespace && name === cluster.name && management === cluster.management;
  if (isOurs) return;
  const why = `its ${taken.join(", ")} have "${entry}" already, which is of something else; name another by --as`;
  throw new KubeconfigFileError(file, why);
}

function changed(document: Document, file: string, options: MergeOptions): string {
  const { entry, cluster, config, isCurrent } = options;
  try {
    put(document, "clusters", { name: entry, cluster: clusterOf(config) });
    put(document, "users", { name: entry, user: userOf(config) });
    const extensions = [{ name: extensionName, extension: { ...cluster } }];
    const { namespace } = config;
    put(document, "contexts", {
      name: entry,
      context: { cluster: entry, user: entry, namespace, extensions },
    });
    if (isCurrent) document.set("current-context", entry);
    return document.toString({ lineWidth: 0 });
  } catch (cause) {
    const why = messageOf(cause);
    throw new KubeconfigFileError(file, `it can't be changed: ${why}`, cause);
  }
}

function put(
  document: Document,
  list: string,
  value: { readonly name: string; readonly [field: string]: unknown },
): void {
  if (!isSeq(document.get(list))) document.set(list, document.createNode([]));
  const entries = document.get(list) as YAMLSeq;
  const node = document.createNode(value);
  const index = entries.items.findIndex((item) => isMap(item) && item.get("name") === value.name);
  if (index === -1) {
    entries.flow = false;
    entries.add(node);
  } else entries.set(index, node);
}

function find(document: Document, list: string, name: string): YAMLMap | undefined {
  const entries = document.get(list);
  if (!isSeq(entries)) return undefined;
  return entries.items.find((item): item is YAMLMap => isMap(item) && item.get("name") === name);
}

function clusterOf({
  server,
  certificateAuthority,
  tlsServerName,
  proxyUrl,
}: ClientConfig): object {
  return {
    server,
    ...(certificateAuthority && { "certificate-authority-data": base64(certificateAuthority) }),
    ...(tlsServerName && { "tls-server-name": tlsServerName }),
    ...(proxyUrl && { "proxy-url": proxyUrl }),
  };
}

function userOf({ user: { certificate, token } }: ClientConfig): object {
  return {
    ...(certificate && {
      "client-certificate-data": base64(certificate.cert),
      "client-key-data": base64(certificate.key),
    }),
    ...(token && { token }),
  };
}

function base64({ pem }: PemSource): string {
  return Buffer.from(pem).toString("base64");
}

/** Locks the file as kubectl does, by creating a file beside it. */
async function lock(file: string): Promise<AsyncDisposable> {
  const path = `${file}.lock`;
  const end = Date.now() + lockMs;
  for (;;) {
    try {
      await (await open(path, "wx", 0o600)).close();
      return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      if (code !== "EEXIST")
        throw new KubeconfigFileError(file, `it can't be locked (${message})`, cause);
      if (Date.now() < end) {
        await delay(lockPauseMs);
        continue;
      }
      const why = `another program changes it; where none does, remove ${path}`;
      throw new KubeconfigFileError(file, why, cause);
    }
  }
}

/** Replaces the file atomically. */
async function replace(file: string, text: string): Promise<void> {
  const staged = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    {
      await using opened = await open(staged, "wx", 0o600);
      await opened.writeFile(text);
      await opened.sync();
    }
    await rename(staged, file);
  } catch (cause) {
    await rm(staged, { force: true });
    throw new KubeconfigFileError(file, `it can't be written (${(cause as Error).message})`, cause);
  }
}
