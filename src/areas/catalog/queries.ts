import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../engines/clock.ts'
import type { Metadata } from '../../engines/metadata/index.ts'
import type { Query, Series, SeriesFunction } from '../../engines/series/index.ts'
import { type FieldError, invalidField, Problem } from '../../errors.ts'
import { watchCaller } from '../../http/caller.ts'
import type { Actor } from '../../http/permissions.ts'
import { DURATION_FORM, parseDuration, parseTime, TIME_FORM } from '../../http/times.ts'
import type { Guard } from '../classification/index.ts'
import { type AnswerType, FORMATS, streamAnswer } from './answers.ts'
import type { CatalogQuery } from './query-schema.ts'
import { withSeries } from './series-problems.ts'
import { requireSource } from './service.ts'
import type { Tags } from './tags.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly tags: Tags
  readonly guard: Pick<Guard, 'requireTags'>
  readonly maxQueryPoints: number
  series(): Promise<Series>
}

/** Questions about the points of a source. */
export class Queries {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Answers in the media type asked for; stops when the caller has hung up. */
  async ask(actor: Actor, body: CatalogQuery, type: AnswerType, raw: IncomingMessage) {
    const { metadata, tags, guard } = this.#needs
    const query = this.#read(body, type)
    await requireSource(metadata.db, body.sourceId)
    await guard.requireTags(actor, body.sourceId, body.tags)
    const units = await tags.units(body.sourceId, body.tags)
    const caller = watchCaller(raw)
    try {
      return await withSeries(async () => {
        const series = await this.#needs.series()
        const answer = await series.query({ ...query, units }, caller.signal)
        return streamAnswer(type, answer.body, caller)
      })
    } catch (error) {
      caller.release()
      throw error
    }
  }

  #read(body: CatalogQuery, type: AnswerType): Omit<Query, 'units'> {
    const nowMs = this.#needs.clock.now()
    const fromNs = timeOf(body.startTime, nowMs, '/startTime')
    const toNs = timeOf(body.endTime ?? 'now', nowMs, '/endTime')
    const bucket = body.aggregation === undefined ? undefined : parseDuration(body.aggregation)
    if (body.aggregation !== undefined && bucket === undefined) {
      throw invalidField('/aggregation', `must be ${DURATION_FORM}`)
    }
    requireZone(body.timeZone)
    const faults = contradictionsIn(body, fromNs < toNs)
    if (faults.length > 0) throw new Problem('unprocessable', { errors: faults })
    return {
      sourceId: body.sourceId,
      tags: body.tags,
      fromNs,
      toNs,
      bucket,
      functions: functionsOf(body.function),
      fill: body.fill ?? 'none',
      maxPoints: body.maxPoints,
      timeZone: body.timeZone ?? 'UTC',
      format: FORMATS[type],
      aggregation: body.aggregation ?? null,
      limitPoints: this.#needs.maxQueryPoints
    }
  }
}

function timeOf(text: string, nowMs: number, pointer: string): bigint {
  const ns = parseTime(text, nowMs)
  if (ns === undefined) throw invalidField(pointer, `must be ${TIME_FORM}`)
  return ns
}

function functionsOf(asked: CatalogQuery['function']): readonly SeriesFunction[] {
  if (asked === undefined) return ['avg']
  return typeof asked === 'string' ? [asked] : asked
}

function contradictionsIn(body: CatalogQuery, inOrder: boolean): FieldError[] {
  const faults: FieldError[] = []
  if (!inOrder) faults.push({ pointer: '/endTime', message: 'must be later than startTime' })
  if (body.aggregation !== undefined) return faults
  const message = 'is for buckets: say their width in aggregation'
  if (body.function !== undefined) faults.push({ pointer: '/function', message })
  if (body.fill !== undefined && body.fill !== 'none') faults.push({ pointer: '/fill', message })
  return faults
}

const zones = new Set(['UTC'])

function requireZone(name: string | undefined): void {
  if (name === undefined || zones.has(name)) return
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    throw invalidField('/timeZone', 'must be the IANA name of a time zone, such as Europe/Berlin')
  }
  zones.add(name) // bounded: as many as there are time zones, in any spelling of upper and lower case
}
