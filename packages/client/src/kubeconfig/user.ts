import { sep } from "node:path";
import { createSecureContext } from "node:tls";
import type { ExecConfig, Impersonation, InteractiveMode, UserConfig } from "./client-config.ts";
import { type Fields, pemField, readReference, resolvePath } from "./fields.ts";

/** Rejects with ConfigError for contradictions and missing references. */
export async function userConfig(fields: Fields): Promise<UserConfig> {
  const certificate = await certificateOf(fields);
  const token = fields.string("token");
  const tokenFile = await tokenFileOf(fields, token);
  const basic = basicOf(fields);
  if (token && basic) {
    throw fields.fail("token", "there are a username and a password as well; only one is allowed");
  }
  if (fields.has("auth-provider")) {
    const reason = "auth providers are no longer part of Kubernetes; use an exec plugin";
    throw fields.fail("auth-provider", reason);
  }
  const exec = fields.has("exec") ? execConfig(fields.entry("exec")) : undefined;
  const impersonate = impersonationOf(fields);
  return {
    ...(certificate && { certificate }),
    ...(token && { token }),
    ...(tokenFile && { tokenFile }),
    ...(basic && { basic }),
    ...(exec && { exec }),
    ...(impersonate && { impersonate }),
  };
}

async function certificateOf(fields: Fields): Promise<UserConfig["certificate"]> {
  const cert = await pemField(fields, "client-certificate");
  if (cert === undefined) return undefined;
  const key = await pemField(fields, "client-key");
  if (key === undefined) {
    const reason = "it or client-key-data is needed, because there is a client certificate";
    throw fields.fail("client-key", reason);
  }
  try {
    createSecureContext({ cert: cert.pem, key: key.pem });
  } catch (error) {
    const reason = `the certificate and its key cannot be used together: ${(error as Error).message}`;
    throw fields.fail("client-certificate", reason);
  }
  return { cert, key };
}

/** The file must exist at the start, unless there is a token. */
async function tokenFileOf(fields: Fields, token: string | undefined): Promise<string | undefined> {
  const path = fields.string("tokenFile");
  if (path === undefined) return undefined;
  const file = resolvePath(path, fields);
  if (token === undefined) await readReference(file, fields, "tokenFile");
  return file;
}

function basicOf(fields: Fields): UserConfig["basic"] {
  const username = fields.string("username");
  const password = fields.string("password");
  if (username === undefined && password === undefined) return undefined;
  return { username: username ?? "", password: password ?? "" };
}

function impersonationOf(fields: Fields): Impersonation | undefined {
  const user = fields.string("as");
  const uid = fields.string("as-uid");
  const groups = fields.strings("as-groups");
  const extraFields = fields.entry("as-user-extra");
  const extra = extraFields.names().map((name) => [name, extraFields.strings(name)] as const);
  if (user === undefined) {
    if (uid === undefined && groups.length === 0 && extra.length === 0) return undefined;
    throw fields.fail("as", "as-uid, as-groups and as-user-extra need a user to act as");
  }
  return {
    user,
    ...(uid && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
  };
}

const v1 = "client.authentication.k8s.io/v1";
const v1beta1 = "client.authentication.k8s.io/v1beta1";
const interactiveModes: readonly string[] = ["Never", "IfAvailable", "Always"];

/** Throws ConfigError for an incomplete entry, as in client-go. */
function execConfig(fields: Fields): ExecConfig {
  const command = fields.string("command");
  if (command === undefined) throw fields.fail("command", "it is missing");
  const apiVersion = apiVersionOf(fields);
  const installHint = fields.string("installHint");
  return {
    apiVersion,
    // A command without a slash is searched in PATH.
    command: command.includes(sep) ? resolvePath(command, fields) : command,
    args: fields.strings("args"),
    env: envOf(fields),
    interactiveMode: interactiveModeOf(fields, apiVersion),
    provideClusterInfo: fields.boolean("provideClusterInfo"),
    ...(installHint && { installHint }),
  };
}

function apiVersionOf(fields: Fields): ExecConfig["apiVersion"] {
  const apiVersion = fields.string("apiVersion");
  if (apiVersion === v1 || apiVersion === v1beta1) return apiVersion;
  const reason = apiVersion === undefined ? "it is missing" : `${apiVersion} is not supported`;
  throw fields.fail("apiVersion", `${reason}; it must be ${v1} or ${v1beta1}`);
}

function interactiveModeOf(fields: Fields, apiVersion: string): InteractiveMode {
  const mode = fields.string("interactiveMode") ?? (apiVersion === v1beta1 ? "IfAvailable" : "");
  if (interactiveModes.includes(mode)) return mode as InteractiveMode;
  const reason = mode === "" ? "it is missing" : `${mode} is not known`;
  throw fields.fail("interactiveMode", `${reason}; it must be ${interactiveModes.join(", ")}`);
}

function envOf(fields: Fields): Readonly<Record<string, string>> {
  const variables = fields.entries("env").map((item) => {
    const name = item.string("name");
    if (name === undefined) throw item.fail("name", "it is missing");
    return [name, item.string("value") ?? ""] as const;
  });
  return Object.fromEntries(variables);
}
