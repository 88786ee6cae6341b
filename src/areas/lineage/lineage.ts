import type { Clock } from '../../engines/clock.ts'
import type { Db } from '../../engines/metadata/index.ts'
import { Claims } from './claims/claims.ts'
import { removalAt } from './claims/job-book.ts'
import { addNames } from './names/names.ts'
import { ownerDeleted } from './nodes/deletions.ts'
import { type DatedFacts, dated, factsOfData, factsOfJob, merged } from './nodes/facts.ts'
import { firstNamed, takeBack } from './nodes/gone.ts'
import { newName } from './nodes/owners.ts'
import { type NodeNews, saveNodes } from './nodes/store.ts'
import { nodeKey } from './references.ts'
import type { Provenance, Sighting } from './sighting.ts'

interface Needs {
  readonly clock: Clock
  readonly claims?: Claims
  /** Has others told of it too, in the same transaction. */
  passOn?(tx: Db, sightings: readonly Sighting[]): Promise<void>
}

/** What areas tell of what they read and write. */
export class Lineage {
  readonly #claims: Claims
  readonly #clock: Clock
  readonly #passOn: NonNullable<Needs['passOn']>
  /** Those taken in since the start of the process, also by transactions that had to be run again. */
  sightings = 0

  constructor({ clock, claims = new Claims(), passOn = async () => {} }: Needs) {
    this.#claims = claims
    this.#clock = clock
    this.#passOn = passOn
  }

  /**
   * Takes in what was seen, in the transaction of what it tells of; and what was told of nodes besides. All nodes are written
   * in one go and so in one order, because others write at the same time.
   */
  async saw(tx: Db, sightings: readonly Sighting[], described: NodeNews = new Map()): Promise<void> {
    const gone = await saveNodes(tx, newsOf(sightings, described))
    if (sightings.length === 0) return
    await this.#claims.take(tx, sightings)
    await takeBack(tx, sightings, gone)
    await this.#passOn(tx, sightings)
    this.sightings += sightings.length
  }

  /** Data is called otherwise from a time on. */
  renamed(tx: Db, from: string, to: string, timeMs: number, provenance: Provenance): Promise<void> {
    return addNames(tx, [{ from, to, type: 'renamed', timeMs, provenance }])
  }

  /** Two names of the same data. */
  same(tx: Db, a: string, b: string, timeMs: number, provenance: Provenance): Promise<void> {
    const news = { type: 'same', timeMs, provenance } as const
    return addNames(tx, [
      { ...news, from: a, to: b },
      { ...news, from: b, to: a }
    ])
  }

  /** Data is gone, unless a run names it that began later. */
  async dataRemoved(tx: Db, reference: string, timeMs: number): Promise<void> {
    const untilMs = await firstNamed(tx, nodeKey(reference), timeMs)
    await saveNodes(tx, new Map([[reference, { deleted: [[timeMs, untilMs]] }]]))
  }

  /** A source, a pipeline or a job has another name from now on, and so has all data of it. */
  async called(tx: Db, owner: string, name: string): Promise<void> {
    await saveNodes(tx, await newName(tx, owner, name, this.#clock.now()))
  }

  /** A source or a pipeline is gone for ever, and all data of it. */
  async ownerRemoved(tx: Db, owner: string): Promise<void> {
    await ownerDeleted(tx, owner, this.#clock.now())
  }

  /** A job is gone: what it read and wrote is over, and stays in the past. */
  async removed(tx: Db, job: string, provenance: Provenance): Promise<void> {
    const timeMs = this.#clock.now()
    await saveNodes(tx, new Map([[job, { deleted: [[timeMs, null]] }]]))
    const run = { id: removalAt(timeMs), state: 'other', timeMs, isWhole: true } as const
    await this.#claims.take(tx, [{ job: { reference: job }, run, inputs: [], outputs: [], columns: [], provenance }])
  }
}

/** What sightings tell of nodes, and what is told of them besides. */
function newsOf(sightings: readonly Sighting[], described: NodeNews): Map<string, DatedFacts> {
  const news = new Map(described)
  const add = (reference: string, facts: DatedFacts) =>
    void news.set(reference, merged(news.get(reference) ?? {}, facts))
  for (const { job, run, inputs, outputs, columns } of sightings) {
    add(job.reference, dated(factsOfJob(job), run.timeMs))
    for (const data of [...inputs, ...outputs]) add(data.reference, dated(factsOfData(data), run.timeMs))
    for (const { from, to } of columns) {
      add(from.reference, {})
      add(to.reference, {})
    }
  }
  return news
}
