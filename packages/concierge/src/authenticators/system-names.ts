import { SigningError, TokenRefusedError } from "../errors.ts";
import type { UserInfo } from "./authenticator.ts";

/** How Kubernetes' own users and groups begin, such as system:masters. */
const systemPrefix = "system:";

/** Every API server gives it to all whom it knows: to carry it says nothing. */
const everybody = "system:authenticated";

/** Which users and groups of Kubernetes' own certificates may carry; none by default. */
export class SystemNames {
  readonly #allowed: readonly string[];

  /** Whole names, or beginnings of names that end with "*". */
  constructor(allowed: readonly string[]) {
    this.#allowed = allowed;
  }

  /** The user of a token, without what says nothing. Errors: TokenRefusedError. */
  admit({ username, groups }: UserInfo): UserInfo {
    const user = { username, groups: groups.filter((group) => group !== everybody) };
    const why = this.#problem(user);
    if (why === undefined) return user;
    throw new TokenRefusedError(`${why}; --allowed-system-names allows it`);
  }

  /** Whoever asks for it: no certificate has such a name. Errors: SigningError. */
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

/** Problems of a list of names that are allowed. */
export function systemNameProblems(allowed: readonly string[]): readonly string[] {
  const isName = (name: string) => name.startsWith(systemPrefix) && !/\*./.test(name);
  return allowed
    .filter((name) => !isName(name))
    .map(
      (name) =>
        `--allowed-system-names: "${name}" does not begin with "${systemPrefix}", or has a "*" before its end`,
    );
}
