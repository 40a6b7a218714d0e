import type { FullApiServerOptions } from "./api-server-options.ts";
import type { LocalPki } from "./local-pki.ts";

/** What everything in a server is made from. */
export interface Parts {
  readonly pki: LocalPki;
  readonly options: FullApiServerOptions;
}
