import { sep } from "node:path";
import type { ExecConfig, InteractiveMode } from "./client-config.ts";
import type { Fields } from "./fields.ts";
import { resolvePath } from "./file-references.ts";

const v1 = "client.authentication.k8s.io/v1";
const v1beta1 = "client.authentication.k8s.io/v1beta1";
const interactiveModes: readonly string[] = ["Never", "IfAvailable", "Always"];

/** Throws ConfigError where the entry is not complete, as client-go does. */
export function execConfig(fields: Fields): ExecConfig {
  const command = fields.string("command");
  if (command === undefined) throw fields.fail("command", "it is missing");
  const apiVersion = apiVersionOf(fields);
  const installHint = fields.string("installHint");
  return {
    apiVersion,
    // A command without a slash is searched for in PATH.
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
