const stages: Readonly<Record<string, number>> = { alpha: 0, beta: 1, "": 2 };

/** Whether one version comes before another in discovery: v10, v2, v11beta2, v1alpha1, foo1, foo10. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  if (!left && !right) return a < b ? -1 : a > b ? 1 : 0;
  if (!left || !right) return left ? -1 : 1;
  for (const [index, rank] of left.entries()) {
    const difference = (right[index] ?? 0) - rank;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Stage, major and minor; undefined for a name that is no version of Kubernetes' form. */
function rankOf(version: string): readonly number[] | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!match) return undefined;
  const [, major, stage = "", minor = 0] = match;
  return [stages[stage] ?? 0, Number(major), Number(minor)];
}
