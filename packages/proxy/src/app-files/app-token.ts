import { join } from "node:path";
import type { ClientConfig } from "@rookery/client";
import type { ProxyState } from "../certificates/proxy-state.ts";
import { MissingAppTokenError } from "../errors.ts";
import type { ProxyFlagValues } from "../flags/proxy-flags.ts";
import { readText } from "../read-text.ts";
import type { AppToken } from "./app-kubeconfig.ts";

/**
 * What the app is to send: with the proxy's identity a token that the proxy has made up, with its own the
 * token of --upstream, where there is one. Throws MissingAppTokenError where the app needs one.
 */
export function appTokenOf(
  flags: ProxyFlagValues,
  { user }: Pick<ClientConfig, "user">,
  state: ProxyState,
): AppToken | undefined {
  if (flags.identity === "proxy") return { read: () => state.appToken() };
  const { tokenFile, token } = user;
  const folder = flags.appServiceAccountDir;
  if (tokenFile) {
    return {
      file: folder ? join(folder, "token") : tokenFile,
      read: () => readText(tokenFile),
    };
  }
  if (token) return { read: async () => token };
  if (folder) throw new MissingAppTokenError();
  return undefined;
}
