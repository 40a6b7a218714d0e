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
  const levelLabel = labels[labelOf(mode)];
  const versionLabel = labels[labelOf(`${mode}-version`)];
  const isLevel = levels.some((each) => each === levelLabel);
  if (levelLabel !== undefined && !isLevel) {
    problems.push(invalid(labelOf(mode), levelLabel, `must be one of ${levels.join(", ")}`));
  }
  const isVersion = versionLabel === "latest" || /^v1\.(\d|[1-9]\d*)$/.test(versionLabel ?? "");
  if (versionLabel !== undefined && !isVersion) {
    problems.push(invalid(labelOf(`${mode}-version`), versionLabel, 'must be "latest" or "v1.x"'));
  }
  // An invalid label enforces the strictest level, and disables warnings.
  const fallback = mode === "enforce" ? "restricted" : "privileged";
  return {
    level: levelLabel === undefined ? level : isLevel ? (levelLabel as Level) : fallback,
    version: versionLabel !== undefined && isVersion ? versionLabel : version,
  };
}

/** By default warnings are as strict as the enforced level. */
function defaultedWarn(warn: LevelVersion, enforce: LevelVersion, labels: Labels): LevelVersion {
  const levelLabel = labels[labelOf("enforce")];
  const isEnforced = levels.some((each) => each === levelLabel);
  const isStricter = compareLevels(enforce.level, warn.level) > 0;
  if (labels[labelOf("warn")] !== undefined || !isEnforced || !isStricter) return warn;
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
