import type { TagType } from '../index.ts'
import { refuseTooMany } from '../query/answer/limit.ts'
import { planOf } from '../query/buckets.ts'
import { checkFunctions, haveMeaning } from '../query/functions.ts'
import type { Query } from '../query/plan.ts'
import type { TagRows } from '../query/rows.ts'
import { lookUp, type SourceFacts, tagOf } from './lookup.ts'
import { readTags } from './read-tags.ts'
import { bucketsSql, pointsSql, type Selection, textFunctions } from './select.ts'
import type { ClickhouseServer } from './server.ts'
import { keyOf } from './tag-keys.ts'
import { emptyRows, type RowShape } from './tag-rows.ts'
import { greater } from './times.ts'

/** How many names one statement may hold: ClickHouse limits the length of statements. */
const TAGS_AT_ONCE = 500

/** The rows of each tag, in the order of the answer. Refuses what can be refused before points are read. */
export async function queryRows(
  server: ClickhouseServer,
  query: Query,
  signal: AbortSignal
): Promise<AsyncIterable<TagRows>> {
  const facts = await lookUpTags(server, query, signal)
  const known = query.tags?.filter((tag) => facts.tags.has(tag)) ?? meant(query, facts)
  if (query.bucket !== undefined) {
    for (const tag of known) checkFunctions(tag, facts.tags.get(tag) as TagType, query.functions)
  }
  refuseTooMany(query, known.length)
  const reading = new Reading(server, query, facts, signal)
  // Rows of deleted tags must not be read: they would count towards the limit.
  return query.tags === undefined && !facts.hasLeftovers ? reading.all(known) : reading.named(query.tags ?? known)
}

/** All tags for which the functions have a meaning. */
function meant({ bucket, functions }: Query, { tags }: SourceFacts): string[] {
  const all = [...tags.keys()]
  return bucket === undefined ? all : all.filter((tag) => haveMeaning(tags.get(tag) as TagType, functions))
}

async function lookUpTags(server: ClickhouseServer, query: Query, signal: AbortSignal): Promise<SourceFacts> {
  if (query.tags === undefined) return lookUp(server, query.sourceId, undefined, signal)
  const facts: SourceFacts[] = []
  for (let i = 0; i === 0 || i < query.tags.length; i += TAGS_AT_ONCE) {
    facts.push(await lookUp(server, query.sourceId, query.tags.slice(i, i + TAGS_AT_ONCE), signal))
  }
  return {
    ...(facts[0] as SourceFacts),
    tags: new Map(facts.flatMap(({ tags }) => [...tags])),
    deletions: new Map(facts.flatMap(({ deletions }) => [...deletions]))
  }
}

class Reading {
  readonly #server: ClickhouseServer
  readonly #query: Query
  readonly #facts: SourceFacts
  readonly #signal: AbortSignal
  readonly #shape: RowShape

  constructor(server: ClickhouseServer, query: Query, facts: SourceFacts, signal: AbortSignal) {
    this.#server = server
    this.#query = query
    this.#facts = facts
    this.#signal = signal
    const isRaw = query.bucket === undefined
    const hasExact = facts.tags.values().some((type) => type !== 'float' && type !== 'boolean')
    const exact = textFunctions(query.functions).map((name) => query.functions.indexOf(name))
    this.#shape = {
      isRaw,
      columnCount: isRaw ? 1 : query.functions.length,
      textColumns: hasExact ? (isRaw ? [0] : exact) : []
    }
  }

  /** All tags in the order of their names, which is the order of the rows. */
  async *all(known: readonly string[]): AsyncGenerator<TagRows> {
    if (known.length === 0) return
    let place = 0
    const wanted = new Set(known)
    for await (const rows of this.#read(undefined)) {
      if (!wanted.has(rows.tag)) continue
      while (known[place] !== rows.tag) yield this.#empty(known[place++] as string)
      yield rows
      place++
    }
    for (const tag of known.slice(place)) yield this.#empty(tag)
  }

  async *named(tags: readonly string[]): AsyncGenerator<TagRows> {
    for (let i = 0; i < tags.length; i += TAGS_AT_ONCE) {
      const asked = tags.slice(i, i + TAGS_AT_ONCE)
      const known = asked.filter((tag) => this.#facts.tags.has(tag))
      const found = new Map<string, TagRows>()
      if (known.length > 0) for await (const rows of this.#read(known)) found.set(rows.tag, rows)
      for (const tag of asked) yield found.get(tag) ?? this.#empty(tag)
    }
  }

  async *#read(tags: readonly string[] | undefined): AsyncGenerator<TagRows> {
    const { sourceId, fromNs, toNs, functions, limitPoints } = this.#query
    const { generation, fromNs: cutoffNs, deletions } = this.#facts
    const selection: Selection = {
      sourceId,
      generation,
      tags: tags?.map((name) => keyOf(name, deletions.get(name))),
      fromNs: greater(fromNs, cutoffNs),
      toNs,
      withText: this.#shape.textColumns.length > 0
    }
    const plan = planOf(this.#query)
    // One more than allowed, so that the writer of the answer notices and refuses.
    const limit = limitPoints + 1
    const { settings } = this.#server
    const sql =
      plan === undefined
        ? pointsSql(settings, selection, limit)
        : bucketsSql(settings, selection, plan, functions, limit)
    const body = await this.#server.select(sql, this.#signal)
    yield* readTags(body, (key) => tagOf(this.#facts, key), this.#shape, plan)
  }

  #empty(tag: string): TagRows {
    return emptyRows(tag, this.#facts.tags.get(tag), this.#shape)
  }
}
