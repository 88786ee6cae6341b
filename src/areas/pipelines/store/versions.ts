import type { Db } from '../../../engines/metadata/index.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { PipelineRow, VersionRow } from './rows.ts'

export const findVersion = (db: Db, pipelineId: string, version: number): Promise<VersionRow | undefined> =>
  db
    .selectFrom('pipeline_versions')
    .selectAll()
    .where('pipeline_id', '=', pipelineId)
    .where('version', '=', version)
    .executeTakeFirst()

/** The definition as it is now. */
export async function versionOf(db: Db, row: PipelineRow): Promise<VersionRow> {
  return (await findVersion(db, row.id, row.version)) as VersionRow
}

export const nodesOf = ({ nodes }: Pick<VersionRow, 'nodes'>): PipelineNode[] => JSON.parse(nodes) as PipelineNode[]
