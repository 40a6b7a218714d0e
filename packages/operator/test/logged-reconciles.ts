/** The begin of a reconcile, as a manager has logged it. */
export interface LoggedReconcile {
  /** As `kubectl logs --timestamps` has it, of one length always: the order of the text is that of time. */
  readonly time: string;
  /** The namespace of the manager's pod. */
  readonly instance: string;
  readonly namespace: string;
  readonly name: string;
}

/** As managers of Cluster API write it: the object is named by its kind. */
const message =
  /"Reconciling".* controllerKind="(?<kind>\w+)" \k<kind>="(?<namespace>[^"/]+)\/(?<name>[^"]+)"/;

/** Of objects in namespaces, from a log with timestamps; a line that is not whole yet is left out. */
export function reconcilesIn(instance: string, log: string): readonly LoggedReconcile[] {
  const whole = log.slice(0, log.lastIndexOf("\n") + 1);
  return whole.split("\n").flatMap((line) => {
    const end = line.indexOf(" ");
    const object = objectIn(line.slice(end + 1));
    return object ? [{ time: line.slice(0, end), instance, ...object }] : [];
  });
}

function objectIn(text: string): { readonly namespace: string; readonly name: string } | undefined {
  if (text.startsWith("{")) {
    const { msg, namespace, name } = JSON.parse(text) as Record<string, string | undefined>;
    return msg === "Reconciling" && namespace && name ? { namespace, name } : undefined;
  }
  const { namespace, name } = message.exec(text)?.groups ?? {};
  return namespace && name ? { namespace, name } : undefined;
}

/** For each namespace, which instances reconciled in it, one after another; "a, b, a" where one came back. */
export function successionsIn(
  reconciles: readonly LoggedReconcile[],
): Readonly<Record<string, string>> {
  const byNamespace = Map.groupBy(reconciles, ({ namespace }) => namespace);
  const successions = [...byNamespace].map(([namespace, all]): [string, string] => {
    const instances = all.map(({ instance }) => instance);
    return [namespace, instances.filter((one, index) => one !== instances[index - 1]).join(", ")];
  });
  return Object.fromEntries(successions.sort());
}
