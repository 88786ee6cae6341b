import { parseReference } from '../../data/reference.ts'
import { type FieldError, Problem } from '../../errors.ts'
import type { Actor } from '../../http/permissions.ts'
import { requireNoMasks } from './keep-secrets.ts'
import { requireRights } from './node-rights.ts'
import { typesOf } from './nodes/index.ts'
import type { PipelineNode } from './nodes/node-type.ts'
import type { NodeProblem } from './protocol.ts'
import { schemaFaults } from './registered-schemas.ts'
import type { NodeBody } from './schema.ts'
import { configFaults } from './validate-config.ts'
import { graphFaults } from './validate-graph.ts'

const MAX_FAULTS = 100

export interface ValidatorNeeds {
  /** What is wrong with the SQL of nodes. */
  checkSql(nodes: readonly PipelineNode[]): Promise<readonly NodeProblem[]>
  bucketExists(name: string): Promise<boolean>
  sourceExists(id: string): Promise<boolean>
  schemaOf(id: string, version: number | undefined): Promise<object>
}

/** Looks at definitions of pipelines before they are taken. Everything that is wrong is told at once. */
export class Validator {
  readonly #needs: ValidatorNeeds

  constructor(needs: ValidatorNeeds) {
    this.#needs = needs
  }

  /** For a definition that is to be kept: it also needs the actor's rights, and what it names has to be there. */
  async check(actor: Actor, nodes: readonly PipelineNode[]): Promise<void> {
    requireSound(nodes)
    requireNoMasks(nodes)
    requireRights(actor, nodes)
    const schemas = await schemaFaults(nodes, this.#needs.schemaOf)
    refuse([...(await this.#missing(nodes)), ...schemas, ...(await this.#sqlFaults(nodes))])
  }

  /** For a definition that is only tried out. */
  async checkAlone(nodes: readonly PipelineNode[]): Promise<void> {
    requireSound(nodes)
    refuse([...(await schemaFaults(nodes, this.#needs.schemaOf)), ...(await this.#sqlFaults(nodes))])
  }

  async #sqlFaults(nodes: readonly PipelineNode[]): Promise<FieldError[]> {
    const hasSql = [...typesOf(nodes)].some(([id, type]) => {
      const node = nodes.find((one) => one.id === id) as PipelineNode
      return (type.sql?.(node.config as never) ?? []).length > 0
    })
    if (!hasSql) return []
    const problems = await this.#needs.checkSql(nodes)
    return problems.map(({ nodeId, pointer, message }) => {
      return { pointer: `/nodes/${indexOf(nodes, nodeId)}/config${pointer}`, message: `${nodeId}: ${message}` }
    })
  }

  async #missing(nodes: readonly PipelineNode[]): Promise<FieldError[]> {
    const { bucketExists, sourceExists } = this.#needs
    const faults: FieldError[] = []
    for (const [nodeId, type] of typesOf(nodes)) {
      const index = indexOf(nodes, nodeId)
      const { config } = nodes[index] as PipelineNode
      for (const text of type.references?.(config as never) ?? []) {
        const reference = parseReference(text)
        if ('problem' in reference) continue
        const { scheme, owner } = reference
        const name = scheme === 'object' && typeof config.bucket === 'string' ? config.bucket : owner
        const isThere =
          scheme === 'object' ? await bucketExists(name) : scheme !== 'series' || (await sourceExists(name))
        if (isThere) continue
        const what = scheme === 'object' ? 'bucket' : 'source in the catalog'
        const pointer = `/nodes/${index}/config${fieldOf(config, [name, text])}`
        faults.push({ pointer, message: `${nodeId}: there is no ${what} ${name}` })
      }
    }
    return faults
  }
}

/** Nodes as they were sent, with what may be left out. */
export function toNodes(bodies: readonly NodeBody[]): PipelineNode[] {
  return bodies.map(({ id, type, config = {}, inputs = [] }) => ({ id, type, config, inputs }))
}

/** What can be told from the nodes alone. */
export function requireSound(nodes: readonly PipelineNode[]): void {
  refuse([...graphFaults(nodes), ...configFaults(nodes)])
}

function refuse(faults: readonly FieldError[]): void {
  if (faults.length > 0) throw new Problem('invalid_request', { errors: faults.slice(0, MAX_FAULTS) })
}

const indexOf = (nodes: readonly PipelineNode[], nodeId: string) => nodes.findIndex(({ id }) => id === nodeId)

/** Where a configuration says one of these; empty where it says it in other words. */
function fieldOf(config: PipelineNode['config'], values: readonly string[]): string {
  const field = Object.keys(config).find((name) => values.includes(config[name] as string))
  return field === undefined ? '' : `/${field}`
}
