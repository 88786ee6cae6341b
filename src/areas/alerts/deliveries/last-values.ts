import type { Message, MessageAlert } from '../../../engines/channels/index.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { Series } from '../../../engines/series/index.ts'
import { withSeries } from '../../catalog/index.ts'
import { asked } from '../evaluation/asking.ts'
import { ask, numberOf, toNs } from '../evaluation/windows.ts'

/** Alerts of a message that get a chart. */
const MAX_CHARTS = 5
const POINTS = 60
/** How far a chart goes back before the alert fired. */
const BEFORE_MS = 1800_000

interface Needs {
  readonly clock: Clock
  readonly log: { error(facts: object, message: string): void }
  series(): Promise<Series>
  units(sourceId: string, tags: readonly string[]): Promise<Readonly<Record<string, string>>>
}

/** The message with the last values of the tags that its first alerts are about, and their units. A message is sent without rather than late. */
export async function withLastValues(needs: Needs, message: Message, signal: AbortSignal): Promise<Message> {
  const charted = message.alerts.slice(0, MAX_CHARTS).map(async (alert): Promise<MessageAlert> => {
    const { source, tag } = alert.labels
    if (source === undefined || tag === undefined) return alert
    const answer = await asked(needs, `source ${source}`, signal, (limited) =>
      withSeries(async () => {
        const { [tag]: unit } = await needs.units(source, [tag])
        const values = await lastValues(needs, source, tag, alert, limited)
        return { lastValues: values, ...(unit !== undefined && { unit }) }
      })
    )
    return 'error' in answer ? alert : { ...alert, ...answer }
  })
  return { ...message, alerts: [...(await Promise.all(charted)), ...message.alerts.slice(MAX_CHARTS)] }
}

async function lastValues(
  { series, clock }: Needs,
  sourceId: string,
  tag: string,
  { startedAt, resolvedAt }: MessageAlert,
  signal: AbortSignal
) {
  const toMs = resolvedAt === null ? clock.now() : Date.parse(resolvedAt)
  const fromMs = Date.parse(startedAt) - BEFORE_MS
  const bucket = { count: Math.max(1, Math.ceil((toMs - fromMs) / POINTS)), unit: 'ms' } as const
  const query = { sourceId, tags: [tag], fromNs: toNs(fromMs), toNs: toNs(toMs), bucket, functions: ['last'] as const }
  const [found] = await ask(await series(), { ...query, limitPoints: 2 * POINTS }, signal)
  return (found?.points ?? []).flatMap((point) => {
    const value = numberOf(tag, point.value)
    return typeof value === 'number' ? [{ time: point.time, value }] : []
  })
}
