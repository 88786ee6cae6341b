import { type FieldError, Problem } from '../../../errors.ts'
import { type Actor, can } from '../../../http/permissions.ts'
import { Closed, OneOf } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { roleOf } from '../nodes/index.ts'
import type { Preview, PreviewRights, Samples } from '../protocol/protocol.ts'
import { withHost } from '../supervisor/host-problems.ts'
import { Nodes } from './schema.ts'
import { masksLeft } from './secrets.ts'
import { toNodes, type Validator } from './validate.ts'

const MAX_RECORDS = 1000

export const PreviewBody = Closed(
  {
    nodes: Nodes,
    samples: Type.Unsafe<unknown>({
      description: `Records by source node, ${MAX_RECORDS} in all: \`{"readings": [{"press": 2}]}\`. Those of a file with \`csv\` are read as its text would be`
    })
  },
  { $id: 'PipelinePreview' }
)
export type PreviewBody = Static<typeof PreviewBody>

const Letter = Type.Object({ code: Type.String(), reason: Type.String(), record: Type.String() })
export const PreviewResult = Type.Unsafe<Preview>(
  Type.Object(
    {
      nodes: Type.Array(
        Type.Object({
          id: Type.String(),
          columns: Type.Array(
            Type.Object({
              name: Type.String(),
              type: Type.String({ description: '`UNKNOWN` where there is nothing but null and no type is told' })
            })
          ),
          records: Type.Array(Type.Unknown(), {
            description: 'The first 100 that came out of it, or that a sink would take'
          }),
          total: Type.Integer({ minimum: 0 }),
          deadLetters: Type.Array(Letter),
          asked: Type.Optional(
            OneOf(
              ['all', 'own', 'none'],
              'Of a sink, whether its `deadLetters` are `all` that it would refuse now; those of its `own` rules, because who gets the records was not asked; or `none`, because nothing can be told without writing'
            )
          )
        })
      ),
      warnings: Type.Optional(
        Type.Array(Type.String(), { description: 'Why a run may make something else of the same records' })
      )
    },
    { $id: 'PreviewResult' }
  )
)

interface Needs {
  readonly validator: Validator
  preview(caller: string, nodes: readonly PipelineNode[], samples: Samples, rights: PreviewRights): Promise<Preview>
}

/** Who may not write to the catalog is not told of the tags there either. */
export const rightsOf = (actor: Actor): PreviewRights => ({ series: can(actor, 'catalog:write') })

/** Shows what a pipeline would make of some records. */
export async function previewPipeline(
  { validator, preview }: Needs,
  actor: Actor,
  body: PreviewBody
): Promise<Preview> {
  const nodes = toNodes(body.nodes)
  await validator.checkAlone(actor, nodes)
  const samples = readSamples(body.samples, nodes)
  const shown = await withHost(() => preview(actor.id, nodes, samples, rightsOf(actor)))
  const warnings = maskedSalts(nodes)
  return warnings.length === 0 ? shown : { ...shown, warnings }
}

/** A preview knows no stored secrets. Most only open doors, which it stays before, but a salt makes the result. */
function maskedSalts(nodes: readonly PipelineNode[]): string[] {
  const salted = masksLeft(nodes).filter(([nodeId]) => nodes.find(({ id }) => id === nodeId)?.type === 'mask')
  return salted.map(([nodeId]) => `${nodeId}: the salt is masked, so a run with the stored salt gives other hashes`)
}

function readSamples(value: unknown, nodes: readonly PipelineNode[]): Samples {
  if (!isObject(value)) throw refused([{ pointer: '/samples', message: 'must be an object of lists of records' }])
  const sources = new Set(nodes.filter((node) => roleOf(node, nodes) === 'source').map(({ id }) => id))
  const errors: FieldError[] = []
  let count = 0
  for (const [id, records] of Object.entries(value)) {
    const pointer = `/samples/${id.slice(0, 63).replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!sources.has(id)) errors.push({ pointer, message: 'is not the id of a source' })
    else if (!Array.isArray(records) || !records.every(isObject))
      errors.push({ pointer, message: 'must be a list of objects' })
    else count += records.length
  }
  if (count > MAX_RECORDS) errors.push({ pointer: '/samples', message: `must hold at most ${MAX_RECORDS} records` })
  if (errors.length > 0) throw refused(errors.slice(0, 20))
  return value as Samples
}

const refused = (errors: readonly FieldError[]) => new Problem('invalid_request', { errors })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
