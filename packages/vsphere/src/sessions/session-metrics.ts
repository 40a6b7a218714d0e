/** Counts events of sessions. */
export interface SessionMetrics {
  /** How many are open on a server, whenever that changes. */
  open(server: string, count: number): void;
  loggedIn(): void;
  /** Why a login failed that was tried; one that is put off is none. */
  loginFailed(error: unknown): void;
}

export const noSessionMetrics: SessionMetrics = {
  open: () => {},
  loggedIn: () => {},
  loginFailed: () => {},
};
