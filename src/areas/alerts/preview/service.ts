import { setImmediate as turn } from 'node:timers/promises'
import type { AlertEvent } from '../../../area.ts'
import { toIso } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { invalidField, Problem } from '../../../errors.ts'
import type { Actor } from '../../../http/permissions.ts'
import { parseTime, TIME_FORM } from '../../../http/times.ts'
import { withSeries } from '../../catalog/index.ts'
import { asked } from '../evaluation/asking.ts'
import { EventReader } from '../evaluation/events.ts'
import { type PointsCondition, type PointsNeeds, readPoints, tagsOf } from '../evaluation/points.ts'
import { type Failure, type Found, join } from '../evaluation/readings.ts'
import { readSql, type SqlNeeds } from '../evaluation/sql.ts'
import type { ParsedCondition } from '../rules/conditions.ts'
import { type Definition, mannersOf, parsedConditions } from '../rules/definition.ts'
import { DEFAULT_INTERVAL_S } from '../rules/schema.ts'
import type { Rules } from '../rules/service.ts'
import { Past } from './past.ts'
import type { Preview, PreviewRequest } from './schema.ts'
import { chooseSteps, type Steps } from './steps.ts'
import { CUT_NOTE, Timeline } from './timeline.ts'

interface Needs extends PointsNeeds, SqlNeeds {
  readonly metadata: Metadata
  readonly alertEvents: ReadonlyMap<string, AlertEvent>
  readonly rules: Pick<Rules, 'defined' | 'requireClearance'>
}

const WEEK_MS = 7 * 86_400_000
/** Steps after which others get their turn. */
const STEPS_AT_ONCE = 20

const NOW_ONLY = {
  sql: 'SQL reads data as it is now, not as it was: the rule was evaluated once, now.',
  event: 'What has happened before is not kept for long enough: the rule was evaluated once, now.'
} as const
const TAGS_NOTE = 'Patterns of tags were taken for the tags that there are now.'

/** When a rule would have fired. The states are those that evaluations would have given at these times. */
export class Previews {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async preview(actor: Actor, { from, to, ...body }: PreviewRequest, signal: AbortSignal): Promise<Preview> {
    const definition = this.#needs.rules.defined(body)
    await this.#needs.rules.requireClearance(actor, body)
    const conditions = parsedConditions(definition)
    const nowOnly = conditions.find(({ kind }) => kind !== 'points')
    if (nowOnly !== undefined) return this.#now(definition, conditions, signal)
    const range = this.#range(from, to)
    const intervalMs = (body.intervalSeconds ?? DEFAULT_INTERVAL_S) * 1000
    return this.#past(definition, conditions as PointsCondition[], { ...range, intervalMs }, signal)
  }

  async #past(
    definition: Definition,
    conditions: readonly PointsCondition[],
    { fromMs, toMs, intervalMs }: { fromMs: number; toMs: number; intervalMs: number },
    signal: AbortSignal
  ): Promise<Preview> {
    await this.#requireSources(definition, conditions)
    const tags = await this.#ask(signal, async (series) => Promise.all(conditions.map((one) => tagsOf(series, one))))
    const known = orRefuse(tags).map(orRefuse)
    const costs = conditions.map((one, at) => ({ ...one, tags: known[at]?.length ?? 0 }))
    const steps = chooseSteps(fromMs, toMs, intervalMs, costs)
    if (steps === undefined) throw tooMuch(fromMs, toMs, intervalMs)
    const pasts: Past[] = []
    for (const [at, condition] of conditions.entries()) {
      const ask = (limited: AbortSignal) =>
        this.#ask(limited, (series, inner) => Past.ask(series, condition, known[at] ?? [], steps, inner))
      pasts.push(orRefuse(await ask(signal)))
    }
    const timeline = await walk(definition, pasts, steps, signal)
    const notes = [
      ...(steps.stepMs > intervalMs
        ? [`Evaluated every ${steps.stepMs / 1000} seconds rather than every ${intervalMs / 1000}, to keep it short.`]
        : []),
      ...(known.some((names, at) => names.length !== 1 || names[0] !== conditions[at]?.tag) ? [TAGS_NOTE] : [])
    ]
    return shown(timeline, steps, notes)
  }

  async #now(definition: Definition, conditions: readonly ParsedCondition[], signal: AbortSignal): Promise<Preview> {
    const { clock, metadata, alertEvents } = this.#needs
    const nowMs = clock.now()
    const found: Found[] = []
    for (const condition of conditions) {
      if (condition.kind === 'event') {
        const { found: one } = await new EventReader(alertEvents, metadata.db, nowMs).read(condition, null)
        found.push(one)
      } else if (condition.kind === 'sql') {
        found.push((await readSql(this.#needs, [condition], signal)).get(condition) as Found)
      } else found.push((await readPoints(this.#needs, [condition], nowMs, signal)).get(condition) as Found)
    }
    const timeline = new Timeline(mannersOf(definition))
    timeline.step(orRefuse(join(found, definition.join)), nowMs)
    const kinds = new Set(conditions.map(({ kind }) => kind))
    const notes = (['sql', 'event'] as const).flatMap((kind) => (kinds.has(kind) ? [NOW_ONLY[kind]] : []))
    return shown(timeline, { firstMs: nowMs, stepMs: 0, count: 1 }, notes)
  }

  #ask<T>(
    signal: AbortSignal,
    ask: (series: Awaited<ReturnType<Needs['series']>>, signal: AbortSignal) => Promise<T>
  ): Promise<T | Failure> {
    return asked(this.#needs, 'The source', signal, (limited) =>
      withSeries(async () => ask(await this.#needs.series(), limited))
    )
  }

  async #requireSources({ conditions: [only] }: Definition, conditions: readonly PointsCondition[]): Promise<void> {
    for (const [at, { sourceId }] of conditions.entries()) {
      if (await this.#needs.sourceExists(sourceId)) continue
      const pointer = conditions.length === 1 && only !== undefined ? '/condition' : `/conditions/${at}`
      throw new Problem('unprocessable', {
        errors: [{ pointer: `${pointer}/sourceId`, message: `there is no source ${sourceId}` }]
      })
    }
  }

  #range(from: string | undefined, to: string | undefined): { fromMs: number; toMs: number } {
    const nowMs = this.#needs.clock.now()
    const toMs = timeOf(to ?? 'now', nowMs, '/to')
    const fromMs = from === undefined ? toMs - WEEK_MS : timeOf(from, nowMs, '/from')
    const errors = [
      ...(toMs > nowMs ? [{ pointer: '/to', message: 'must not be in the future' }] : []),
      ...(fromMs >= toMs ? [{ pointer: '/from', message: 'must be earlier than to' }] : [])
    ]
    if (errors.length > 0) throw new Problem('unprocessable', { errors })
    return { fromMs, toMs }
  }
}

async function walk(
  definition: Definition,
  pasts: readonly Past[],
  { firstMs, stepMs, count }: Steps,
  signal: AbortSignal
): Promise<Timeline> {
  const timeline = new Timeline(mannersOf(definition))
  for (let at = 0; at < count; at++) {
    const timeMs = firstMs + at * stepMs
    const found = pasts.map((past) => past.at(timeMs))
    timeline.step(orRefuse(join(found, definition.join)), timeMs)
    if (at % STEPS_AT_ONCE === 0) {
      await turn()
      signal.throwIfAborted()
    }
  }
  return timeline
}

function shown(timeline: Timeline, { firstMs, stepMs, count }: Steps, notes: readonly string[]): Preview {
  return {
    from: toIso(firstMs),
    to: toIso(firstMs + (count - 1) * stepMs),
    stepSeconds: count === 1 ? null : stepMs / 1000,
    evaluations: count,
    notes: [...notes, ...(timeline.isCut ? [CUT_NOTE] : [])],
    instances: timeline.instances
  }
}

function timeOf(text: string, nowMs: number, pointer: string): number {
  const ns = parseTime(text, nowMs)
  if (ns === undefined) throw invalidField(pointer, `must be ${TIME_FORM}`)
  return Number(ns / 1_000_000n)
}

function orRefuse<T>(found: T | Failure): Exclude<T, Failure> {
  if (typeof found === 'object' && found !== null && 'error' in found) {
    throw new Problem('unprocessable', { detail: String(found.error) })
  }
  return found as Exclude<T, Failure>
}

function tooMuch(fromMs: number, toMs: number, intervalMs: number): Problem {
  const detail =
    toMs - fromMs < intervalMs
      ? 'No evaluation lies within this time: ask for a longer one.'
      : 'That is too much to look through at once: ask for a shorter time or fewer tags, or choose a window that is a multiple of the interval.'
  return new Problem('unprocessable', { detail })
}
