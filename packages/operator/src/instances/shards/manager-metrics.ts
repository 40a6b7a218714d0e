/** What the metrics of a manager say of its work. */
export interface ManagerSample {
  readonly reconciles: number;
  readonly queueDepth: number;
}

/** Reads the text that a manager serves; undefined where it says nothing of reconciles. */
export function readMetrics(text: string): ManagerSample | undefined {
  const reconciles = sumOf(text, "controller_runtime_reconcile_total");
  const queueDepth = sumOf(text, "workqueue_depth");
  return reconciles === undefined ? undefined : { reconciles, queueDepth: queueDepth ?? 0 };
}

/** Of all series of one name: "name{labels} value", where labels may hold anything in quotes. */
function sumOf(text: string, name: string): number | undefined {
  const values = text
    .split("\n")
    .map((line) => /^(\w+)(?:\{.*\})? ([^ ]+)$/.exec(line.trim()))
    .filter((match) => match?.[1] === name)
    .map((match) => Number(match?.[2]));
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}
