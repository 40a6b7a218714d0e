import { SigningError, TokenRefusedError } from "../errors.ts";
import type { UserInfo } from "./authenticator.ts";

/** The prefix of Kubernetes' own users and groups, such as system:masters. */
const systemPrefix = "system:";

/** API servers add it to all authenticated users. */
const everybody = "system:authenticated";

/** The system users and groups that certificates may contain; none by default. */
export class SystemNames {
  readonly #allowed: readonly string[];

  /** Names, or prefixes that end with "*". */
  constructor(allowed: readonly string[]) {
    this.#allowed = allowed;
  }

  /** The user without redundant groups. Errors: TokenRefusedError. */
  admit({ username, groups }: UserInfo): UserInfo {
    const user = { username, groups: groups.filter((group) => group !== everybody) };
    const why = this.#problem(user);
    if (why === undefined) return user;
    throw new TokenRefusedError(`${why}; --allowed-system-names allows it`);
  }

  /** Rejects certificates with system names for all callers. Errors: SigningError. */
  assert(user: UserInfo): void {
    const why = this.#problem(user);
    if (why !== undefined) throw new SigningError(why);
  }

  #problem({ username, groups }: UserInfo): string | undefined {
    if (this.#isRefused(username)) return `its user "${username}" is one of Kubernetes' own`;
    const group = groups.find((name) => this.#isRefused(name));
    return group === undefined ? undefined : `its group "${group}" is one of Kubernetes' own`;
  }

  #isRefused(name: string): boolean {
    return name.startsWith(systemPrefix) && !this.#allowed.some((one) => matches(one, name));
  }
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** The problems of a list of allowed names. */
export function systemNameProblems(allowed: readonly string[]): readonly string[] {
  const isName = (name: string) => name.startsWith(systemPrefix) && !/\*./.test(name);
  return allowed
    .filter((name) => !isName(name))
    .map(
      (name) =>
        `--allowed-system-names: "${name}" does not begin with "${systemPrefix}", or has a "*" before its end`,
    );
}
