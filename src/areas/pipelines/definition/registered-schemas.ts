import { type FieldError, Problem } from '../../../errors.ts'
import { NodeFault } from '../contract/context.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { plainProblem } from '../nodes/transforms/validate-schema.ts'
import { columnsOfSchema, epochsOfSchema } from './schema-columns.ts'

/** A registered schema as JSON Schema, by its identifier and version; throws a `Problem` where there is none. */
type SchemaOf = (id: string, version: number | undefined) => Promise<object>

/**
 * Nodes as a host runs them, which knows nothing of the registry: schemas stand where their identifiers stood, and in
 * sources the columns that they make.
 */
export function withSchemas(nodes: readonly PipelineNode[], schemaOf: SchemaOf): Promise<PipelineNode[]> {
  return Promise.all(
    nodes.map(async (node) => {
      const asked = askedOf(node)
      if (asked === undefined) return node
      const { schemaId, version, ...config } = node.config
      const schema = await orFault(node, () => schemaOf(asked.schemaId, asked.version))
      const put = asked.use === 'schema' ? { schema } : columnsPut(schema)
      return { ...node, config: { ...config, ...put } }
    })
  )
}

function columnsPut(schema: object) {
  const epochs = epochsOfSchema(schema)
  return { columns: columnsOfSchema(schema), ...(Object.keys(epochs).length > 0 && { epochs }) }
}

/** What is wrong with the registered schemas that nodes name, as far as that can be told without compiling them. */
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
  /** What a node makes of it: `validate` holds records against it, a source takes the types of columns from it. */
  readonly use: 'schema' | 'columns'
  readonly schemaId: string
  readonly version: number | undefined
}

function askedOf({ type, config, inputs }: PipelineNode): Asked | undefined {
  const { schemaId, version } = config as { schemaId?: unknown; version?: unknown }
  const use = type === 'validate' ? 'schema' : inputs.length === 0 ? 'columns' : undefined
  if (use === undefined || typeof schemaId !== 'string') return undefined
  return { use, schemaId, version: typeof version === 'number' ? version : undefined }
}

const MAX_COLUMNS = 500

function columnsProblem(schema: object): string | undefined {
  const count = Object.keys(columnsOfSchema(schema)).length
  if (count > MAX_COLUMNS) return `the schema has ${count} fields, and a source takes ${MAX_COLUMNS}`
  return count > 0 ? undefined : 'the schema has no fields at the top that could give types'
}

async function problemOf({ use, schemaId, version }: Asked, schemaOf: SchemaOf): Promise<string | undefined> {
  try {
    const schema = await schemaOf(schemaId, version)
    if (use === 'columns') return columnsProblem(schema)
    const problem = plainProblem(schema)
    return problem === undefined ? undefined : `the schema ${problem}`
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    const which = version === undefined ? 'a version in force' : `a version ${version} in force`
    return error.code === 'not_found' ? `there is no schema ${schemaId} with ${which}` : error.detail
  }
}
