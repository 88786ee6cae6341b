import { parseReference } from '../../../data/reference.ts'
import { type FieldError, Problem } from '../../../errors.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Guard } from '../../classification/index.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { meantType } from '../nodes/index.ts'
import { ruleIdsOf } from '../nodes/transforms/quality.ts'
import type { NodeProblem } from '../protocol/protocol.ts'
import { readBy } from '../rights/references.ts'
import { maskFaults } from './keep-secrets.ts'
import { type ConnectorOf, connectorFaults } from './named-connectors.ts'
import { type RulesOf, ruleFaults } from './named-rules.ts'
import { lackingRight } from './node-rights.ts'
import { schemaFaults } from './registered-schemas.ts'
import type { NodeBody } from './schema.ts'
import { resourcesOf } from './uses.ts'
import { configFaults, understoodNodes } from './validate-config.ts'
import { endFaults } from './validate-ends.ts'
import { graphFaults } from './validate-graph.ts'

const MAX_FAULTS = 100

export interface ValidatorNeeds {
  /** What is wrong with the SQL and the schemas of nodes: found in a process of its own. */
  checkAway(caller: string, nodes: readonly PipelineNode[]): Promise<readonly NodeProblem[]>
  bucketExists(name: string): Promise<boolean>
  sourceExists(id: string): Promise<boolean>
  isNameOfSource(name: string): Promise<boolean>
  schemaOf(id: string, version: number | undefined): Promise<object>
  readonly rulesOf: RulesOf
  readonly connectorOf: ConnectorOf
  /** The data that stored rules quote which nodes name. */
  quotedBy(nodes: readonly PipelineNode[]): Promise<readonly string[]>
  readonly guard: Pick<Guard, 'requireAll'>
}

/** Looks at definitions of pipelines before they are taken. Everything that is wrong is told at once. */
export class Validator {
  readonly #needs: ValidatorNeeds

  constructor(needs: ValidatorNeeds) {
    this.#needs = needs
  }

  /** Checks a definition that is to be kept. The actor also needs the rights to what it names, and that has to be there. */
  async check(actor: Actor, nodes: readonly PipelineNode[]): Promise<void> {
    const lacking = lackingRight(actor, nodes)
    const faults = [...plainFaults(nodes), ...maskFaults(nodes)]
    if (lacking !== undefined && faults.length === 0) throw lacking
    // A pipeline reads as the platform, and whoever makes it can read what it writes.
    if (faults.length === 0) await this.#needs.guard.requireAll(actor, readBy('', nodes))
    // Who may not see buckets or sources is not told which there are either.
    if (lacking === undefined) faults.push(...(await this.#missing(nodes)), ...(await this.#missingStreams(nodes)))
    await this.#checkRest(actor, nodes, faults)
  }

  /** Checks a definition that is only tried out. */
  async checkAlone(actor: Actor, nodes: readonly PipelineNode[]): Promise<void> {
    await this.#checkRest(actor, nodes, plainFaults(nodes))
  }

  async #checkRest(actor: Actor, nodes: readonly PipelineNode[], found: readonly FieldError[]): Promise<void> {
    await this.#requireRules(actor, understoodNodes(nodes))
    const faults = [...found, ...(await this.#namedFaults(nodes))]
    try {
      faults.push(...(await this.#awayFaults(actor, nodes)))
    } catch (error) {
      // What is known to be wrong is told all the same.
      if (faults.length === 0) throw error
    }
    refuse(faults)
  }

  /** Before anything is asked of them: what a node makes of a record tells what its rules say, and so does what is wrong with them. */
  async #requireRules(actor: Actor, nodes: readonly PipelineNode[]): Promise<void> {
    const naming = nodes.filter((node) => ruleIdsOf(node).length > 0)
    const lacking = lackingRight(actor, naming)
    if (lacking !== undefined) throw lacking
    await this.#needs.guard.requireAll(actor, await this.#needs.quotedBy(naming))
  }

  /** What is wrong with registered schemas and rules that nodes name. */
  async #namedFaults(nodes: readonly PipelineNode[]): Promise<FieldError[]> {
    const understood = understoodNodes(nodes)
    const { schemaOf, rulesOf } = this.#needs
    const faults = [...(await schemaFaults(understood, schemaOf)), ...(await ruleFaults(understood, rulesOf))]
    return faults.map(({ pointer, message }) => {
      const [, , place, ...rest] = pointer.split('/')
      return {
        pointer: ['', 'nodes', nodes.indexOf(understood[Number(place)] as PipelineNode), ...rest].join('/'),
        message
      }
    })
  }

  async #awayFaults(actor: Actor, nodes: readonly PipelineNode[]): Promise<FieldError[]> {
    const understood = understoodNodes(nodes)
    const isToAsk = understood.some((node) => {
      const type = meantType(node, nodes)
      return type?.checkAway !== undefined || (type?.sql?.(node.config as never) ?? []).length > 0
    })
    if (!isToAsk) return []
    const problems = await this.#needs.checkAway(actor.id, understood)
    return problems.map(({ nodeId, pointer, message }) => {
      const index = nodes.findIndex(({ id }) => id === nodeId)
      const [place, what] = ownPlace(nodes[index]?.config ?? {}, pointer, message)
      return { pointer: `/nodes/${index}/config${place}`, message: `${nodeId}: ${what}` }
    })
  }

  #missingStreams(nodes: readonly PipelineNode[]): Promise<FieldError[]> {
    const understood = new Set(understoodNodes(nodes))
    const others = nodes.map((node) => (understood.has(node) ? node : { ...node, type: '' }))
    return connectorFaults(others, this.#needs.connectorOf)
  }

  async #missing(nodes: readonly PipelineNode[]): Promise<FieldError[]> {
    const faults: FieldError[] = []
    for (const node of understoodNodes(nodes)) {
      for (const { type, id } of resourcesOf(node, nodes)) {
        if (type === 'schema' || type === 'connector' || (await this.#isThere(type, id))) continue
        const what = type === 'bucket' ? 'bucket' : 'source in the catalog'
        const pointer = `/nodes/${nodes.indexOf(node)}/config${fieldOf(node.config, id)}`
        const isName = type === 'catalog-source' && (await this.#needs.isNameOfSource(id))
        const hint = isName ? '; one has that name: give its id, which begins with src_' : ''
        faults.push({ pointer, message: `${node.id}: there is no ${what} ${isName ? `with the id ${id}` : id}${hint}` })
      }
    }
    return faults
  }

  #isThere(type: 'bucket' | 'catalog-source', id: string): Promise<boolean> {
    return type === 'bucket' ? this.#needs.bucketExists(id) : this.#needs.sourceExists(id)
  }
}

/** A registered schema stood there in place of its identifier, and rules after those of the node itself. */
function ownPlace({ schemaId, rules }: PipelineNode['config'], pointer: string, message: string): [string, string] {
  if (pointer === '/schema' && schemaId !== undefined) return ['/schemaId', `the schema ${message}`]
  const [, list, at] = pointer.split('/')
  const isNamed = list === 'rules' && Number(at) >= (Array.isArray(rules) ? rules.length : 0)
  return isNamed ? ['/ruleIds', `one of the rules ${message}`] : [pointer, message]
}

/** Nodes as they were sent, with what may be left out. */
export function toNodes(bodies: readonly NodeBody[]): PipelineNode[] {
  return bodies.map(({ id, type, config = {}, inputs = [] }) => ({ id, type, config, inputs }))
}

/** Refuses what can be told to be wrong from the nodes alone. */
export function requireSound(nodes: readonly PipelineNode[]): void {
  refuse(plainFaults(nodes))
}

const plainFaults = (nodes: readonly PipelineNode[]): FieldError[] => [
  ...graphFaults(nodes),
  ...configFaults(nodes),
  ...endFaults(nodes)
]

function refuse(faults: readonly FieldError[]): void {
  if (faults.length > 0) throw new Problem('invalid_request', { errors: faults.slice(0, MAX_FAULTS) })
}

/** Where a configuration names a resource, by itself or in a reference. */
function fieldOf(config: PipelineNode['config'], id: string): string {
  const field = Object.keys(config).find((name) => {
    const value = config[name]
    return value === id || (typeof value === 'string' && ownerOf(value) === id)
  })
  return field === undefined ? '' : `/${field}`
}

function ownerOf(text: string): string | undefined {
  const reference = parseReference(text)
  return 'problem' in reference ? undefined : reference.owner
}
