import type { FieldError } from '../../../errors.ts'
import type { NamedRule } from '../../quality/index.ts'
import { NodeFault } from '../contract/context.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { type QualityConfig, RECORD_TYPES, type RecordRule, ruleIdsOf } from '../nodes/transforms/quality.ts'

/** Those of these rules of quality that there are. */
export type RulesOf = (ids: readonly string[]) => Promise<readonly NamedRule[]>

/** Nodes as a host runs them, which knows nothing of stored rules: they stand among those that the node has itself. */
export function withRules(nodes: readonly PipelineNode[], rulesOf: RulesOf): Promise<PipelineNode[]> {
  return Promise.all(
    nodes.map(async (node) => {
      const ids = ruleIdsOf(node)
      if (ids.length === 0) return node
      const found = await foundOf(ids, rulesOf)
      const wrong = found.find((one) => one.problem !== undefined)
      if (wrong !== undefined) throw new NodeFault('fatal', 'rule_missing', `${node.id}: ${wrong.problem}`)
      const { ruleIds: _ruleIds, rules = [], ...config } = node.config as QualityConfig
      const enabled = found.flatMap(({ rule }) => (rule?.enabled === true ? [toRecordRule(rule)] : []))
      return { ...node, config: { ...config, rules: [...rules, ...enabled] } }
    })
  )
}

/** What is wrong with the rules that nodes name. */
export async function ruleFaults(nodes: readonly PipelineNode[], rulesOf: RulesOf): Promise<FieldError[]> {
  const faults: FieldError[] = []
  for (const [index, node] of nodes.entries()) {
    for (const [at, { problem }] of (await foundOf(ruleIdsOf(node), rulesOf)).entries()) {
      if (problem === undefined) continue
      faults.push({ pointer: `/nodes/${index}/config/ruleIds/${at}`, message: `${node.id}: ${problem}` })
    }
  }
  return faults
}

interface Found {
  readonly rule?: NamedRule
  readonly problem?: string
}

async function foundOf(ids: readonly string[], rulesOf: RulesOf): Promise<Found[]> {
  if (ids.length === 0) return []
  const rules = new Map((await rulesOf(ids)).map((rule) => [rule.id, rule]))
  return ids.map((id) => {
    const rule = rules.get(id)
    if (rule === undefined) return { problem: `there is no quality rule ${id}` }
    // A stored rule of type sql is a SELECT over all data.
    if (rule.type !== 'sql' && RECORD_TYPES.some((type) => type === rule.type)) return { rule }
    const types = RECORD_TYPES.filter((type) => type !== 'sql').join(', ')
    return {
      problem: `the quality rule ${id} is of the type ${rule.type}, which looks at more than one record; use ${types}`
    }
  })
}

/** Every record is asked, whatever the rule says of samples. */
function toRecordRule({ name, type, config, isOpen }: NamedRule): RecordRule {
  const { sample: _sample, ...asked } = config
  return { name, type: type as RecordRule['type'], config: asked, ...(!isOpen && { isUnquoted: true }) }
}
