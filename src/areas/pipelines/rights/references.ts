import { parseReference } from '../../../data/reference.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { dataQuotedBy } from '../../quality/index.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { outputsOf, referenceOf } from '../lineage/output.ts'
import { referencesOf } from '../lineage/references.ts'
import { ruleIdsOf } from '../nodes/transforms/quality.ts'
import { findPipeline } from '../store/pipelines.ts'
import { findVersion, nodesOf } from '../store/versions.ts'

/** The data that a pipeline has put out and the platform can read; none where there is no such pipeline. */
export async function outputReferences(db: Db, pipelineId: string): Promise<readonly string[]> {
  return outputsOf(pipelineId, await nodesIn(db, pipelineId)).map(referenceOf)
}

/** The data that a pipeline reads, as its newest definition says, or tells of by the rules that its nodes name. */
export async function inputReferences(db: Db, pipelineId: string): Promise<readonly string[]> {
  const nodes = await nodesIn(db, pipelineId)
  return [...readBy(pipelineId, nodes), ...(await quotedBy(db, nodes))]
}

/** The data that stored rules of quality quote which nodes name: what becomes of a record tells what these rules say. */
export const quotedBy = (db: Db, nodes: readonly PipelineNode[]): Promise<readonly string[]> =>
  dataQuotedBy(db, [...new Set(nodes.flatMap(ruleIdsOf))])

/** The data of the platform that nodes read: of others, and of schemas, nobody can say who may see them. */
export const readBy = (pipelineId: string, nodes: readonly PipelineNode[]): readonly string[] =>
  referencesOf(pipelineId, nodes).inputs.filter((text) => !('problem' in parseReference(text)))

async function nodesIn(db: Db, pipelineId: string) {
  const row = await findPipeline(db, pipelineId)
  const version = row && (await findVersion(db, pipelineId, row.version))
  return version === undefined ? [] : nodesOf(version)
}
