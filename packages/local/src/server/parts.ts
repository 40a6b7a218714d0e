import type { Store } from "../store/store.ts";
import type { FullOptions } from "./local-options.ts";
import type { LocalPki } from "./local-pki.ts";

/** What everything in a server is made from. */
export interface Parts {
  readonly store: Store;
  readonly pki: LocalPki;
  readonly options: FullOptions;
}
