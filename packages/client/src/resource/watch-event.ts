import { type KubeObject, type Status, StatusError } from "@rookery/kube";

/** The object of a BOOKMARK only has kind and metadata. */
export interface WatchEvent<T extends KubeObject = KubeObject> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: T;
}

const initialEventsEnd = "k8s.io/initial-events-end";

/** Whether a watch with `sendInitialEvents` has sent all existing objects. */
export function isInitialEventsEnd({ type, object }: WatchEvent): boolean {
  return type === "BOOKMARK" && object.metadata.annotations?.[initialEventsEnd] === "true";
}

/**
 * Reads one line of a watch. Throws the StatusError of an ERROR event, and an Error without the
 * content of an invalid line.
 */
export function parseWatchEvent<T extends KubeObject>(line: string): WatchEvent<T> {
  const event = parse(line) as { readonly type?: unknown; readonly object?: unknown } | null;
  const object = event?.object;
  if (typeof object !== "object" || object === null) {
    throw new Error("an event has no object");
  }
  switch (event?.type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
    case "BOOKMARK":
      return event as WatchEvent<T>;
    case "ERROR":
      throw errorOf(object);
    default:
      throw new Error(`an event has the unknown type ${JSON.stringify(event?.type)}`);
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The parser's message contains the input.
    throw new Error("an event is not JSON, or broke off");
  }
}

function errorOf(object: object): Error {
  if ("kind" in object && object.kind === "Status") return new StatusError(object as Status);
  return new Error("an ERROR event has no Status");
}
