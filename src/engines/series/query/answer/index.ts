import { systemClock } from '../../../clock.ts'
import { bucketsBetween, planOf } from '../buckets.ts'
import { downsample } from '../downsample.ts'
import { fillRows } from '../fill.ts'
import type { Query } from '../plan.ts'
import type { TagRows } from '../rows.ts'
import { CsvWriter } from './csv.ts'
import { JsonWriter } from './json.ts'
import { tooManyPoints } from './limit.ts'
import type { AnswerFacts, AnswerWriter } from './writer.ts'

/**
 * The answer to a query, made from the rows of its tags in order. Fills, downsamples and formats the rows as they
 * come. Yields nothing before there are rows, so that errors of the query are known before its answer begins; later
 * errors are thrown, so that an answer is never silently cut short.
 */
export async function* writeAnswer(
  query: Query,
  rows: AsyncIterable<TagRows | readonly TagRows[]> | Iterable<TagRows>,
  startedMs: number
): AsyncGenerator<Uint8Array, void, undefined> {
  const answer = new Answer(query)
  const writer = await openWriter(query)
  for await (const some of rows) {
    // `yield*` would wait for each of thousands of tags, even those with nothing to yield.
    for (const tag of Array.isArray(some) ? (some as readonly TagRows[]) : [some as TagRows]) {
      for (const chunk of writer.rows(answer.shown(tag))) yield chunk
    }
  }
  yield* writer.end(answer.facts(startedMs))
}

/** The code for Arrow is loaded only for answers in Arrow. */
async function openWriter(query: Query): Promise<AnswerWriter> {
  if (query.format === 'json') return new JsonWriter(query)
  if (query.format === 'csv') return new CsvWriter(query)
  return new (await import('./arrow.ts')).ArrowWriter(query)
}

/** Fills and downsamples rows, and counts points. */
class Answer {
  readonly #query: Query
  readonly #starts: Float64Array | undefined
  readonly #unknownTags: string[] = []
  #pointsRead = 0
  #points = 0
  #shown = 0

  constructor(query: Query) {
    const plan = query.fill === 'none' ? undefined : planOf(query)
    this.#query = query
    this.#starts = plan && bucketsBetween(plan, query.fromNs, query.toNs)
  }

  shown(tag: TagRows): TagRows {
    const { limitPoints, maxPoints } = this.#query
    if (tag.type === undefined) this.#unknownTags.push(tag.tag)
    const filled = this.#starts === undefined ? tag : fillRows(tag, this.#query, this.#starts)
    this.#points += filled.length
    if (this.#points > limitPoints) throw tooManyPoints(this.#points, limitPoints)
    const shown = maxPoints === undefined ? filled : downsample(filled, maxPoints)
    this.#pointsRead += tag.pointsRead
    this.#shown += shown.length
    return shown
  }

  facts(startedMs: number): AnswerFacts {
    return {
      unknownTags: this.#unknownTags,
      pointsRead: this.#pointsRead,
      elapsedMs: Math.max(0, Math.round(systemClock.elapsed() - startedMs)),
      filled: this.#starts === undefined ? 'none' : this.#query.fill,
      downsampled: this.#shown < this.#points ? { from: this.#points, to: this.#shown } : undefined
    }
  }
}
