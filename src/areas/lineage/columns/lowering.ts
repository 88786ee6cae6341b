import { type Db, slices } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Classification } from '../../classification/index.ts'
import { nodesBy } from '../nodes/naming.ts'
import { nodeKey } from '../references.ts'
import type { Sighting } from '../sighting.ts'
import { inflowsInto } from './inflow.ts'

/** A job and data that it writes, by their keys. */
export interface Written {
  readonly job: string
  readonly data: string
}

export const writtenName = ({ job, data }: Written): string => `${job} ${data}`

/** What the area of classification says of who may see some data. */
export type Above = Pick<Classification, 'above' | 'maySeeAll'>

/**
 * Of what somebody tells the columns, that of which they may not see what came into it so far without a word of columns. Columns,
 * masked ones above all, would take the level away that all of it has for that; and whoever may not see data may not lower
 * their level.
 */
export async function lowering(
  db: Db,
  classification: () => Promise<Above>,
  actor: Actor,
  told: readonly Written[]
): Promise<Set<string>> {
  if (told.length === 0 || (await (await classification()).maySeeAll(actor))) return new Set()
  const known = await knownAmong(db, told)
  if (known.length === 0) return new Set()
  const asked = new Set(known.map(writtenName))
  const flows = (await inflowsInto(db, [...new Set(known.map(({ data }) => data))])).filter(
    ({ kind, job, to }) => kind === 'unmapped' && asked.has(writtenName({ job, data: to }))
  )
  if (flows.length === 0) return new Set()
  const nodes = await nodesBy(db, [...new Set(flows.flatMap(({ from, to }) => [from, to]))])
  const references = [...nodes.values()].map(({ reference }) => reference)
  const above = await (await classification()).above(actor, references)
  const isAbove = (key: string) => above.has(nodes.get(key)?.reference ?? '')
  return new Set(
    flows.filter(({ from, to }) => isAbove(from) || isAbove(to)).map(({ job, to }) => writtenName({ job, data: to }))
  )
}

/** Those that the job is known to write: what nobody has told of yet has no level that columns could take away. */
async function knownAmong(db: Db, told: readonly Written[]): Promise<Written[]> {
  const found: Written[] = []
  for (const some of slices([...new Map(told.map((one) => [writtenName(one), one])).values()])) {
    const known = await db
      .selectFrom('lineage_edges')
      .select(['from_node as job', 'to_node as data'])
      .distinct()
      .where(
        'to_node',
        'in',
        some.map(({ data }) => data)
      )
      .where(
        'from_node',
        'in',
        some.map(({ job }) => job)
      )
      .where('type', '=', 'writes')
      .execute()
    const names = new Set(known.map(writtenName))
    found.push(...some.filter((one) => names.has(writtenName(one))))
  }
  return found
}

/** What a sighting tells the columns of. */
export function writtenIn({ job, columns }: Pick<Sighting, 'job' | 'columns'>): Written[] {
  const references = new Set(columns.map(({ to }) => to.reference))
  return [...references].map((reference) => ({ job: nodeKey(job.reference), data: nodeKey(reference) }))
}

/** A sighting without the columns of some data, and the references of these. */
export function withoutColumns(sighting: Sighting, left: ReadonlySet<string>): { kept: Sighting; gone: string[] } {
  const job = nodeKey(sighting.job.reference)
  const { gone = [], kept = [] } = Object.groupBy(sighting.columns, ({ to }) =>
    left.has(writtenName({ job, data: nodeKey(to.reference) })) ? 'gone' : 'kept'
  )
  const references = [...new Set(gone.map(({ to }) => to.reference))]
  return { kept: gone.length === 0 ? sighting : { ...sighting, columns: kept }, gone: references }
}

export const notTaken = (reference: string): string =>
  `The columns of ${reference} are not taken in: it is, or is made of, data whose level you may not see, and columns could take that level away. All of it keeps the strictest level of what its job has read. Somebody with the clearance can tell them.`
