import type { FastifyReply, FastifyRequest } from 'fastify'
import { systemClock } from '../engines/clock.ts'
import type { Jobs } from '../engines/jobs/index.ts'
import { failingWith, within } from '../engines/timing.ts'
import { Durations } from './durations.ts'
import { EVENT_LOOP_METRICS, EventLoopLag } from './event-loop.ts'
import { metricText } from './metric-text.ts'
import { PROCESSOR_METRICS, renderProcessorTime } from './processor-time.ts'

/** A part that takes longer is left out: the others are not kept waiting. */
const PART_LIMIT_MS = 4000

/** Gauges with the names of counters, which metric checkers refuse. The library has the same numbers by type. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/** Numbers of one part of the platform, in the text format of Prometheus. */
export interface MetricsPart {
  readonly name: string
  render(): Promise<string>
}

interface Needs {
  readonly parts: readonly MetricsPart[]
  /** Called with the reason when a part has no numbers now. */
  readonly report: (part: string, error: unknown) => void
}

/** Numbers for Prometheus: how the process does, how long each operation takes, and what each part says of itself. */
export function createMetrics({ parts, report }: Needs) {
  const durations = new Durations()
  // Loaded when somebody first asks: many installations never do, and it would be felt in start-up and memory.
  let process: ReturnType<typeof processMetrics> | undefined
  /** A part that fails is left out, since the numbers of the others are then needed the more. */
  const rendered = async ({ name, render }: MetricsPart): Promise<Rendered> => {
    try {
      const late = failingWith(`took longer than ${PART_LIMIT_MS} ms`)
      return { name, text: await within(systemClock, PART_LIMIT_MS, render(), late), isMissing: false }
    } catch (error) {
      report(name, error)
      return { name, text: '', isMissing: true }
    }
  }
  return {
    observe(request: FastifyRequest, reply: FastifyReply, elapsedMs: number): void {
      durations.observe(request.method, request.routeOptions.url ?? 'unmatched', reply.statusCode, elapsedMs)
    },
    /** Everything in the text format of Prometheus. */
    async render(): Promise<string> {
      process ??= processMetrics()
      const help = 'Time from the arrival of a request to the end of its answer'
      const all = await Promise.all(parts.map(rendered))
      const texts = all.map(({ text }) => text).join('')
      return `${await (await process)()}${texts}${missingOnes(all)}${durations.render('http_request_duration_seconds', help)}`
    }
  }
}

interface Rendered {
  readonly name: string
  readonly text: string
  readonly isMissing: boolean
}

/** Which parts are left out: who watches would take what is gone for something that was never there. */
function missingOnes(parts: readonly Rendered[]): string {
  const help = 'Whether a part of the metrics is left out now, because the database or the part itself does not answer'
  const samples = parts.map(({ name, isMissing }) => ({ labels: { part: name }, value: isMissing ? 1 : 0 }))
  return metricText('millrace_metrics_missing', 'gauge', help, samples)
}

export type HttpMetrics = ReturnType<typeof createMetrics>

/** Loads the library, and answers what renders its metrics. */
async function processMetrics(): Promise<() => Promise<string>> {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of [...PROCESSOR_METRICS, ...EVENT_LOOP_METRICS, ...MISNAMED]) registry.removeSingleMetric(name)
  const eventLoop = new EventLoopLag()
  return async () => `${await registry.metrics()}\n${renderProcessorTime()}${await eventLoop.render()}`
}

export function jobMetrics(jobs: Pick<Jobs, 'stats'>): MetricsPart {
  return {
    name: 'jobs',
    async render() {
      const { queued, running, failed, oldestQueuedMs } = await jobs.stats()
      const help = 'Background jobs by state, up to 10,000 of each; failed are those given up within 7 days'
      const states = Object.entries({ queued, running, failed }).map(([state, value]) => ({ labels: { state }, value }))
      return [
        metricText('millrace_jobs', 'gauge', help, states),
        metricText('millrace_jobs_oldest_waiting_seconds', 'gauge', 'How long the job that is due longest waits', [
          { value: oldestQueuedMs / 1000 }
        ])
      ].join('')
    }
  }
}
