import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Jobs } from '../engines/jobs/index.ts'
import { Durations } from './durations.ts'

/** Numbers for Prometheus: how the process does, how long each operation takes, what waits in the background. */
export function createMetrics(jobs: Pick<Jobs, 'stats'>) {
  const durations = new Durations()
  // Loaded when somebody first asks: many installations never do, and it would be felt in start-up and memory.
  let registry: Promise<Registry> | undefined
  return {
    observe(request: FastifyRequest, reply: FastifyReply, elapsedMs: number): void {
      durations.observe(request.method, request.routeOptions.url ?? 'unmatched', reply.statusCode, elapsedMs)
    },
    /** Everything in the text format of Prometheus. */
    async render(): Promise<string> {
      registry ??= createRegistry(jobs)
      const process = await (await registry).metrics()
      const help = 'Time from the arrival of a request to the end of its answer'
      return `${process}\n${durations.render('http_request_duration_seconds', help)}`
    }
  }
}

export type HttpMetrics = ReturnType<typeof createMetrics>

async function createRegistry(jobs: Pick<Jobs, 'stats'>): Promise<Registry> {
  const { collectDefaultMetrics, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
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
  return registry
}
