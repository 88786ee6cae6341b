import { systemClock } from '../../../engines/clock.ts'
import { createIds } from '../../../engines/ids.ts'
import { type Db, hasRows } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { ColumnMapping, Sighting } from '../../lineage/index.ts'
import { Links } from '../../lineage/links/service.ts'
import { GraphDatabase } from '../../lineage/testing/graph-database.ts'
import { followSome } from '../inheritance/follower.ts'
import { dataOf } from '../inheritance/labelled.ts'
import { noticeMarks } from '../inheritance/marks.ts'
import { readInherited } from '../inheritance/read.ts'
import type { Preview } from '../inheritance/schema.ts'
import { Inheritance } from '../inheritance/service.ts'
import { resourceName } from '../resource-name.ts'
import type { ResourceTag } from '../schema.ts'
import { Classification } from '../service.ts'
import { findClassified } from '../store.ts'

const actor = { id: 'usr_test' } as Actor

/** Labels and lineage in a database, without a server. */
export class InheritanceWorld {
  readonly graph: GraphDatabase
  readonly classification: Classification
  readonly #inheritance: Inheritance
  readonly #links: Links
  #runs = 0

  private constructor(graph: GraphDatabase) {
    const given = { metadata: graph.metadata, clock: systemClock, makeId: createIds(systemClock) }
    // Nobody here is kept from changing labels.
    const needs = { ...given, cache: { clearanceOf: async () => ({ level: null, rank: Number.POSITIVE_INFINITY }) } }
    this.graph = graph
    this.classification = new Classification(needs)
    this.#inheritance = new Inheritance({ ...needs, classification: this.classification })
    this.#links = new Links({ ...needs, requireEnds: async () => {} })
  }

  static async open(): Promise<InheritanceWorld> {
    return new InheritanceWorld(await GraphDatabase.open())
  }

  get db(): Db {
    return this.graph.metadata.db
  }

  change<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    return this.graph.metadata.transaction(work)
  }

  async empty(): Promise<void> {
    await this.graph.empty()
    await this.change(async (tx) => {
      await tx.deleteFrom('classification_inherited').execute()
      await tx.deleteFrom('classification_marks').execute()
      await tx.deleteFrom('classification_resources').execute()
    })
  }

  label(resource: ResourceTag['resource'], level: string, columns: string[] = []): Promise<unknown> {
    return this.change((tx) => this.classification.tag(tx, actor, { resource, level, columns }))
  }

  unlabel(resource: ResourceTag['resource']): Promise<void> {
    return this.change((tx) => this.classification.forget(tx, resource))
  }

  /** Changes, gives or takes back the label of exactly these columns. */
  async relabel(resource: ResourceTag['resource'], level: string | null, columns: string[]): Promise<void> {
    if (level !== null) return void (await this.label(resource, level, columns))
    const known = await findClassified(this.db, resourceName(resource), JSON.stringify(columns))
    if (known !== undefined) await this.change((tx) => this.classification.untag(tx, actor, known.id))
  }

  preview(resource: ResourceTag['resource'], level: string | null, columns: string[]): Promise<Preview> {
    return this.#inheritance.preview({ resource, level, columns })
  }

  /** Whether the lineage has a node of it. */
  async isNamed(resource: ResourceTag['resource']): Promise<boolean> {
    const reference = dataOf(resourceName(resource)) ?? ''
    return hasRows(this.db.selectFrom('lineage_nodes').where('reference', '=', reference))
  }

  /** What everything inherits, by resource and column. */
  async levels(): Promise<Map<string, string>> {
    const rows = await this.db.selectFrom('classification_inherited').selectAll().where('is_shown', '=', 1).execute()
    return new Map(rows.map(({ resource, column_name, level }) => [`${resource} ${column_name}`, level]))
  }

  /** `wide.csv contact confidential` for all that is inherited in the bucket `b`, once everything is followed. */
  async inherited(): Promise<string[]> {
    await this.follow()
    const rows = await readInherited(this.db, { within: 'object://b', limit: 100 })
    return rows.map(({ resource, column, level }) => `${resource.slice(11)} ${column || '*'} ${level}`).sort()
  }

  /** A run that names all that its job reads and writes. */
  run(
    job: string,
    inputs: readonly string[],
    outputs: readonly string[],
    columns: readonly ColumnMapping[] = []
  ): Promise<void> {
    return this.runs([{ job, inputs, outputs, columns }])
  }

  /** Runs that are told together. */
  runs(some: readonly ToldRun[]): Promise<void> {
    const sightings = some.flatMap((run) => sightingsOf(run, ++this.#runs))
    return this.change((tx) => this.graph.lineage.saw(tx, sightings))
  }

  same(a: string, b: string): Promise<void> {
    return this.change((tx) => this.graph.lineage.same(tx, a, b, 1, { how: 'openlineage', who: 'a test' }))
  }

  async link(from: string, to: string): Promise<string> {
    return (await this.change((tx) => this.#links.create(tx, actor, { from, to }))).answer.id
  }

  async unlink(id: string): Promise<void> {
    await this.change((tx) => this.#links.delete(tx, id))
  }

  /** Follows so many pieces of so many marks; all, if not said. */
  async follow(pieces = Number.POSITIVE_INFINITY, marks = 20): Promise<void> {
    for (let piece = 0; piece < pieces; piece++) {
      await this.change((tx) => noticeMarks(tx, systemClock.now(), 1000))
      if (!(await this.change((tx) => followSome(tx, { first: marks, into: marks })))) return
    }
  }

  close(): Promise<void> {
    return this.graph.close()
  }
}

export interface ToldRun {
  readonly job: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly columns: readonly ColumnMapping[]
  /** Before how many of the others it was, of one that is told late. */
  readonly late?: number
  readonly how?: 'captured' | 'openlineage'
  /** Whether it is told when it begins, and when it ends, while others begin; one that breaks off never says everything. */
  readonly lasts?: 'a moment' | 'long' | 'until it breaks off'
}

function sightingsOf(told: ToldRun, number: number): Sighting[] {
  const { job, inputs, outputs, columns, late = 0, how = 'captured', lasts = 'a moment' } = told
  const data = (references: readonly string[]) => references.map((reference) => ({ reference }))
  const timeMs = Math.max(1, (number - late) * 10 - (late === 0 ? 0 : 5))
  const about = { job: { reference: job }, provenance: { how, who: 'a test' } }
  const all = { ...about, inputs: data(inputs), outputs: data(outputs), columns }
  const run = { id: `r${number}`, timeMs }
  if (lasts === 'until it breaks off') return [{ ...all, run: { ...run, state: 'failed', isWhole: false } }]
  if (lasts === 'a moment') return [{ ...all, run: { ...run, state: 'completed', isWhole: true } }]
  return [
    { ...about, run: { ...run, state: 'running', isWhole: false }, inputs: data(inputs), outputs: [], columns: [] },
    { ...all, inputs: [], run: { ...run, timeMs: timeMs + 25, state: 'completed', isWhole: true } }
  ]
}
