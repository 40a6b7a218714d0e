import type { ManagedObjectReference } from "./managed-object.ts";
import type { XmlNode } from "./xml-reader.ts";

/** Properties by their paths, as they are known so far. */
export type Properties = ReadonlyMap<string, XmlNode>;

export interface PropertyWatch {
  readonly object: ManagedObjectReference;
  readonly paths: readonly string[];
  /** Called with all that is known whenever something of it changes, the first time at once. */
  readonly onChange: (properties: Properties) => void;
  /** Called once, when nothing more will come: the object is gone, or the stream failed. */
  readonly onEnd: (error: Error) => void;
}

export interface Watching {
  /** Asks for no more; `onEnd` is not called. */
  stop(): Promise<void>;
}
