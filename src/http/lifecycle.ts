/** Where the process is in its life; the gate and the health checks look at the same one. */
export interface Lifecycle {
  phase: 'starting' | 'ready' | 'draining'
}
