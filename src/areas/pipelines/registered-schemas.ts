import { type FieldError, Problem } from '../../errors.ts'
import { NodeFault } from './nodes/context.ts'
import type { PipelineNode } from './nodes/node-type.ts'
import { compileSchema } from './nodes/validate-schema.ts'

/** A registered schema as JSON Schema, by its identifier and version; throws a `Problem` where there is none. */
type SchemaOf = (id: string, version: number | undefined) => Promise<object>

/** Nodes as a host runs them, which knows nothing of the registry: schemas stand where their identifiers stood. */
export function withSchemas(nodes: readonly PipelineNode[], schemaOf: SchemaOf): Promise<PipelineNode[]> {
  return Promise.all(
    nodes.map(async (node) => {
      const asked = askedOf(node)
      if (asked === undefined) return node
      return { ...node, config: { schema: await orFault(node, () => schemaOf(asked.schemaId, asked.version)) } }
    })
  )
}

/** What is wrong with the registered schemas that nodes name. */
export async function schemaFaults(nodes: readonly PipelineNode[], schemaOf: SchemaOf): Promise<FieldError[]> {
  const faults: FieldError[] = []
  for (const [index, node] of nodes.entries()) {
    const asked = askedOf(node)
    const problem = asked && (await problemOf(asked, schemaOf))
    if (problem === undefined) continue
    faults.push({ pointer: `/nodes/${index}/config/schemaId`, message: `${node.id}: ${problem}` })
  }
  return faults
}

/** Without the schema, which may have gone since the pipeline was made, there is nothing to run. */
async function orFault(node: PipelineNode, find: () => Promise<object>): Promise<object> {
  try {
    return await find()
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    throw new NodeFault('fatal', 'schema_missing', `${node.id}: the registered schema can’t be used: ${error.detail}`)
  }
}

interface Asked {
  readonly schemaId: string
  readonly version: number | undefined
}

function askedOf({ type, config }: PipelineNode): Asked | undefined {
  const { schemaId, version } = config as { schemaId?: unknown; version?: unknown }
  if (type !== 'validate' || typeof schemaId !== 'string') return undefined
  return { schemaId, version: typeof version === 'number' ? version : undefined }
}

async function problemOf({ schemaId, version }: Asked, schemaOf: SchemaOf): Promise<string | undefined> {
  try {
    const compiled = compileSchema(await schemaOf(schemaId, version))
    return 'problem' in compiled ? `the schema ${compiled.problem}` : undefined
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    const which = version === undefined ? 'a version in force' : `a version ${version} in force`
    return error.code === 'not_found' ? `there is no schema ${schemaId} with ${which}` : error.detail
  }
}
