import type { Db } from '../../../engines/metadata/index.ts'
import type { Lineage } from '../lineage.ts'
import { type DatedFacts, dated, factsOfData, factsOfJob, merged } from '../nodes/facts.ts'
import type { News, Told } from '../openlineage/told.ts'
import type { DataSeen, Provenance } from '../sighting.ts'

/** Tells the lineage what events say, in one transaction. */
export async function tell(tx: Db, lineage: Lineage, all: readonly Told[]): Promise<void> {
  const news = all.flatMap((told) => told.news)
  await lineage.saw(
    tx,
    all.flatMap(({ sightings }) => sightings),
    describedBy(news)
  )
  for (const { data, timeMs, provenance } of all.flatMap(dataIn)) {
    for (const alias of data.aliases ?? []) await lineage.same(tx, data.reference, alias, timeMs, provenance)
  }
  for (const one of news) {
    if (one.kind === 'data-renamed') await lineage.renamed(tx, one.from, one.to, one.timeMs, PRODUCER)
    if (one.kind === 'data-dropped') await lineage.dataRemoved(tx, one.reference, one.timeMs)
  }
}

const PRODUCER: Provenance = { how: 'openlineage', who: '' }

interface DatedData {
  readonly data: DataSeen
  readonly timeMs: number
  readonly provenance: Provenance
}

/** All data that an event says something of. */
function dataIn({ sightings, news }: Told): DatedData[] {
  const seen = sightings.flatMap(({ inputs, outputs, run, provenance }) =>
    [...inputs, ...outputs].map((data) => ({ data, timeMs: run.timeMs, provenance }))
  )
  const described = news.flatMap((one) =>
    one.kind === 'data-described' ? [{ data: one.data, timeMs: one.timeMs, provenance: PRODUCER }] : []
  )
  return [...seen, ...described]
}

function describedBy(news: readonly News[]): Map<string, DatedFacts> {
  const described = new Map<string, DatedFacts>()
  const add = (reference: string, facts: DatedFacts) =>
    void described.set(reference, merged(described.get(reference) ?? {}, facts))
  for (const one of news) {
    if (one.kind === 'data-described') add(one.data.reference, dated(factsOfData(one.data), one.timeMs))
    if (one.kind === 'job-described') add(one.job.reference, dated(factsOfJob(one.job), one.timeMs))
    if (one.kind === 'forgotten' && one.what !== 'aliases') add(one.reference, { [one.what]: [one.timeMs, null] })
  }
  return described
}
