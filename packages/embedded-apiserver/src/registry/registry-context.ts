import type { FieldManager, Timers, TypedDecoder } from "@rookery/apiserver";
import type { Clock, KubeObject, PatchSchema } from "@rookery/kube";
import type { BuiltInKind } from "../kinds/declaration/kind.ts";
import type { Store } from "../store/store.ts";

/** What built-in kinds are served with. */
export interface RegistryContext {
  readonly store: Store;
  readonly now: Clock;
  readonly timers?: Timers;
  /** Reads bodies by a Go type; without it they are taken as they come. */
  readonly decoderOf?: (goType: string, defaults?: (object: KubeObject) => void) => TypedDecoder;
  /** Without it nobody keeps account of who manages fields, and apply is refused. */
  readonly fieldManagerOf?: (kind: BuiltInKind) => FieldManager | undefined;
  /** Without it strategic merge patches are refused. */
  readonly patchSchemaOf?: (goType: string) => PatchSchema | undefined;
}
