import type { Db } from '../../../engines/metadata/index.ts'
import { prepareLookups } from '../../../engines/prepare-rows.ts'
import type { ResourceRow } from '../migrations.ts'
import { isReference } from '../resource-name.ts'

/** A label as it counts for data. */
export interface Given {
  readonly id: string
  /** The reference of the data. */
  readonly resource: string
  /** Empty for all of the data. */
  readonly columns: readonly string[]
  readonly level: string
}

const BUCKET = 'bucket:'
const EVERYTHING = /^object:\/\/([^/]+)\/\*\*$/s

/** The data that a labelled resource is: of a bucket, all objects. Undefined where it is none. */
export function dataOf(resource: string): string | undefined {
  const data = resource.startsWith(BUCKET) ? `object://${resource.slice(BUCKET.length)}/**` : resource
  return isReference(data) ? data : undefined
}

/** The resources whose labels are those of some data. */
function resourcesOf(reference: string): string[] {
  const [, bucket] = EVERYTHING.exec(reference) ?? []
  return bucket === undefined ? [reference] : [reference, `${BUCKET}${bucket}`]
}

/** What people have given some data, in one order. */
export async function givenTo(db: Db, references: readonly string[]): Promise<Given[]> {
  const rows = await findGiven(
    db,
    references.flatMap(resourcesOf).map((resource) => ({ resource }))
  )
  return rows
    .map(({ id, resource, columns, level }) => {
      return { id, resource: dataOf(resource) ?? resource, columns: JSON.parse(columns) as string[], level }
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

const findGiven = prepareLookups<
  Pick<ResourceRow, 'resource'>,
  Pick<ResourceRow, 'id' | 'resource' | 'columns' | 'level'>
>('classification_resources', ['resource'], (db, isGiven) =>
  db.selectFrom('classification_resources').select(['id', 'resource', 'columns', 'level']).where(isGiven)
)

/** Those among some data that people have given a level. */
export async function labelledAmong(db: Db, references: readonly string[]): Promise<Set<string>> {
  return new Set((await givenTo(db, references)).map(({ resource }) => resource))
}
