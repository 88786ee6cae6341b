import type { FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Jobs } from '../engines/jobs/index.ts'
import { Durations } from './durations.ts'

/** Numbers for Prometheus: how the process does, and how long each operation takes. */
export function createMetrics(jobs: Pick<Jobs, 'stats'>) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Durations()
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
    async render(): Promise<string> {
      const requests = durations.render(
        'http_request_duration_seconds',
        'Time from the arrival of a request to the end of its answer'
      )
      return `${await registry.metrics()}\n${requests}`
    },
    observe(request: FastifyRequest, reply: FastifyReply, elapsedMs: number): void {
      durations.observe(request.method, request.routeOptions.url ?? 'unmatched', reply.statusCode, elapsedMs)
    }
  }
}

export type HttpMetrics = ReturnType<typeof createMetrics>
