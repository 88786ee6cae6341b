import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Jobs } from '../engines/jobs/index.ts'
import { Durations } from './durations.ts'
import { metricText } from './metric-text.ts'

/** Numbers of one part of the platform, in the text format of Prometheus. */
export interface MetricsPart {
  readonly name: string
  render(): Promise<string>
}

interface Needs {
  readonly parts: readonly MetricsPart[]
  /** Told why a part has no numbers now. */
  readonly report: (part: string, error: unknown) => void
}

/** Numbers for Prometheus: how the process does, how long each operation takes, and what each part says of itself. */
export function createMetrics({ parts, report }: Needs) {
  const durations = new Durations()
  // Loaded when somebody first asks: many installations never do, and it would be felt in start-up and memory.
  let registry: Promise<Registry> | undefined
  /** Where one part can't be asked, the others are needed the more. */
  const rendered = async ({ name, render }: MetricsPart): Promise<string> => {
    try {
      return await render()
    } catch (error) {
      report(name, error)
      return ''
    }
  }
  return {
    observe(request: FastifyRequest, reply: FastifyReply, elapsedMs: number): void {
      durations.observe(request.method, request.routeOptions.url ?? 'unmatched', reply.statusCode, elapsedMs)
    },
    /** Everything in the text format of Prometheus. */
    async render(): Promise<string> {
      registry ??= createRegistry()
      const process = await (await registry).metrics()
      const help = 'Time from the arrival of a request to the end of its answer'
      const texts = await Promise.all(parts.map(rendered))
      return `${process}\n${texts.join('')}${durations.render('http_request_duration_seconds', help)}`
    }
  }
}

export type HttpMetrics = ReturnType<typeof createMetrics>

async function createRegistry(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

export function jobMetrics(jobs: Pick<Jobs, 'stats'>): MetricsPart {
  return {
    name: 'jobs',
    async render() {
      const { queued, running } = await jobs.stats()
      return metricText('millrace_jobs', 'gauge', 'Background jobs by state', [
        { labels: { state: 'queued' }, value: queued },
        { labels: { state: 'running' }, value: running }
      ])
    }
  }
}
