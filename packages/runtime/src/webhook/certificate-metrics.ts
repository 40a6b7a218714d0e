/** Where a watcher of certificate files reports; the names follow controller-runtime's metrics. */
export interface CertificateMetrics {
  read(): void;
  readError(): void;
}
