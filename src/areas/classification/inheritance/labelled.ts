import { type Db, slices } from '../../../engines/metadata/index.ts'
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
  const found: Given[] = []
  for (const some of slices(references.flatMap(resourcesOf))) {
    const rows = await db
      .selectFrom('classification_resources')
      .select(['id', 'resource', 'columns', 'level'])
      .where('resource', 'in', some)
      .orderBy('id')
      .execute()
    for (const { id, resource, columns, level } of rows) {
      found.push({ id, resource: dataOf(resource) ?? resource, columns: JSON.parse(columns) as string[], level })
    }
  }
  return found
}

/** Those among some data that people have given a level. */
export async function labelledAmong(db: Db, references: readonly string[]): Promise<Set<string>> {
  return new Set((await givenTo(db, references)).map(({ resource }) => resource))
}
