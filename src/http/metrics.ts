import type { FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Jobs } from '../engines/jobs/index.ts'

/** Numbers for Prometheus: how the process does, and how long each operation takes. */
export function createMetrics(jobs: Pick<Jobs, 'stats'>) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry]
  })
  new Gauge({
    name: 'millrace_jobs',
    help: 'Background jobs by state',
    labelNames: ['state'] as const,
    registers: [registry],
    async collect() {
      const { queued, running } = await jobs.stats()
      this.set({ state: 'queued' }, queued)
      this.set({ state: 'running' }, running)
    }
  })
  return {
    /** Everything in the text format of Prometheus. */
    render: () => registry.metrics(),
    observe(request: FastifyRequest, reply: FastifyReply, elapsedMs: number): void {
      const route = request.routeOptions.url ?? 'unmatched'
      durations.observe({ method: request.method, route, status: reply.statusCode }, elapsedMs / 1000)
    }
  }
}

export type HttpMetrics = ReturnType<typeof createMetrics>
