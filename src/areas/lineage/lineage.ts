import type { Clock } from '../../engines/clock.ts'
import type { Db } from '../../engines/metadata/index.ts'
import { Claims } from './claims/claims.ts'
import { REMOVAL } from './claims/job-book.ts'
import { type DatedFacts, dated, factsOfData, factsOfJob, merged } from './nodes/facts.ts'
import { saveNodes } from './nodes/store.ts'
import type { Provenance, Sighting } from './sighting.ts'

/** What areas tell of what they read and write. */
export class Lineage {
  readonly #claims = new Claims()
  readonly #clock: Clock

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock
  }

  /** Takes in what was seen, in the transaction of what it tells of. */
  async saw(tx: Db, sightings: readonly Sighting[]): Promise<void> {
    if (sightings.length === 0) return
    await saveNodes(tx, newsOf(sightings))
    await this.#claims.take(tx, sightings)
  }

  /** A job is gone: what it read and wrote is over, and stays in the past. */
  async removed(tx: Db, job: string, provenance: Provenance): Promise<void> {
    const timeMs = this.#clock.now()
    await saveNodes(tx, new Map([[job, dated({ deleted: true }, timeMs)]]))
    const run = { id: REMOVAL, state: 'other', timeMs, isWhole: true } as const
    await this.#claims.take(tx, [{ job: { reference: job }, run, inputs: [], outputs: [], columns: [], provenance }])
  }
}

/** What sightings tell of nodes. */
function newsOf(sightings: readonly Sighting[]): Map<string, DatedFacts> {
  const news = new Map<string, DatedFacts>()
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
