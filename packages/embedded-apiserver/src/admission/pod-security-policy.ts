import {
  FieldError,
  fieldPath,
  type PodSecurityLevel as Level,
  type PodSecurityLevelVersion as LevelVersion,
  podSecurityLevels as levels,
} from "@rookery/kube";

/** The policy in the labels of a namespace. */
export interface PodSecurityPolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

type Labels = Readonly<Record<string, string>>;
type Mode = keyof PodSecurityPolicy;

const privileged: LevelVersion = { level: "privileged", version: "latest" };

/**
 * The policy of a namespace and the errors of its labels. An invalid label counts as restricted.
 */
export function policyOf(labels: Labels = {}): {
  readonly policy: PodSecurityPolicy;
  readonly problems: readonly FieldError[];
} {
  const problems: FieldError[] = [];
  const enforce = modeOf("enforce", labels, problems);
  const audit = modeOf("audit", labels, problems);
  const warn = modeOf("warn", labels, problems);
  return { policy: { enforce, audit, warn: defaultedWarn(warn, enforce, labels) }, problems };
}

function modeOf(mode: Mode, labels: Labels, problems: FieldError[]): LevelVersion {
  const { level, version } = privileged;
  const said = labels[labelOf(mode)];
  const saidVersion = labels[labelOf(`${mode}-version`)];
  const isLevel = levels.some((each) => each === said);
  if (said !== undefined && !isLevel) {
    problems.push(invalid(labelOf(mode), said, `must be one of ${levels.join(", ")}`));
  }
  const isVersion = saidVersion === "latest" || /^v1\.(\d|[1-9]\d*)$/.test(saidVersion ?? "");
  if (saidVersion !== undefined && !isVersion) {
    problems.push(invalid(labelOf(`${mode}-version`), saidVersion, 'must be "latest" or "v1.x"'));
  }
  // An invalid label enforces the strictest level, and disables warnings.
  const unread = mode === "enforce" ? "restricted" : "privileged";
  return {
    level: said === undefined ? level : isLevel ? (said as Level) : unread,
    version: saidVersion !== undefined && isVersion ? saidVersion : version,
  };
}

/** By default warnings are as strict as the enforced level. */
function defaultedWarn(warn: LevelVersion, enforce: LevelVersion, labels: Labels): LevelVersion {
  const said = labels[labelOf("enforce")];
  const isSaid = levels.some((each) => each === said);
  const isStricter = compareLevels(enforce.level, warn.level) > 0;
  if (labels[labelOf("warn")] !== undefined || !isSaid || !isStricter) return warn;
  const hasVersion = labels[labelOf("warn-version")] !== undefined;
  return { level: enforce.level, version: hasVersion ? warn.version : enforce.version };
}

export function compareLevels(a: Level, b: Level): number {
  return levels.indexOf(a) - levels.indexOf(b);
}

export function formatLevelVersion({ level, version }: LevelVersion): string {
  return `${level}:${version}`;
}

function labelOf(name: string): string {
  return `pod-security.kubernetes.io/${name}`;
}

function invalid(label: string, value: string, detail: string): FieldError {
  return FieldError.invalid(fieldPath("metadata", "labels").key(label), value, detail);
}
