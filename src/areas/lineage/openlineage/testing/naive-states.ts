import type { RawEvent } from './raw-event.ts'

const ENDS: Readonly<Record<string, string>> = { COMPLETE: 'completed', FAIL: 'failed', ABORT: 'aborted' }
/** Of two at the same moment the later one here counts. */
const ORDER = ['ABORT', 'FAIL', 'COMPLETE']

/** How each run stands, by its job and identifier, from all events in any order: one that has ended never runs again. */
export function naiveStates(events: readonly RawEvent[]): Map<string, string> {
  const nameOf = ({ job, run }: RawEvent) => `job://${encodeURIComponent(job.namespace)}/${job.name} ${run.runId}`
  const states = new Map<string, string>()
  for (const [name, ofRun] of Map.groupBy(events, nameOf)) {
    const ends = ofRun.filter(({ eventType }) => ENDS[eventType] !== undefined)
    const lastMs = Math.max(...ends.map(({ eventTime }) => Date.parse(eventTime)))
    const last = ends.filter(({ eventTime }) => Date.parse(eventTime) === lastMs).map(({ eventType }) => eventType)
    const end = ORDER.findLast((type) => last.includes(type as RawEvent['eventType']))
    const runs = ofRun.some(({ eventType }) => eventType === 'START' || eventType === 'RUNNING')
    states.set(name, end === undefined ? (runs ? 'running' : 'other') : (ENDS[end] as string))
  }
  return states
}
