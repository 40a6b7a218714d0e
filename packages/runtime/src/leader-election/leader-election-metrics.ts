/** Where an election reports; the names follow client-go's metrics. */
export interface LeaderElectionMetrics {
  leading(isLeading: boolean): void;
  /** The lease had to be read before it could be renewed. */
  slowPath(): void;
}
