import { isDeepStrictEqual } from 'node:util'
import type { Named } from './read-file.ts'
import { type Applied, listAll, type Server, send, tellSum } from './server.ts'

const FIXED = ['dataset', 'type'] as const

/** Makes and changes rules by their names, one after the other; one that is refused holds up none of the others. */
export async function applyRules(server: Server, rules: readonly Named[]): Promise<Applied> {
  const applied: Applied = { made: 0, changed: 0, same: 0, refused: 0 }
  const known = await rulesByName(server)
  const would = server.isDry ? 'would ' : ''
  for (const rule of rules) {
    const before = known.get(rule.name)
    const fixed = FIXED.find((field) => before !== undefined && field in rule && rule[field] !== before[field])
    const changes = before === undefined ? [] : differing(rule, before)
    if (fixed !== undefined) {
      applied.refused++
      server.say(`refused: ${rule.name}: ${fixed} can't be changed; give the rule another name, or delete the old one`)
    } else if (before === undefined) {
      const isDone = await send(server, 'POST', '/api/quality/rules', rule)
      applied[isDone ? 'made' : 'refused']++
      if (isDone) server.say(`${would}make: ${rule.name}`)
    } else if (changes.length === 0) applied.same++
    else {
      const body = { name: rule.name, ...Object.fromEntries(changes.map((field) => [field, rule[field]])) }
      const isDone = await send(server, 'PUT', `/api/quality/rules/${before.id}`, body)
      applied[isDone ? 'changed' : 'refused']++
      const shown = changes.map((field) => `${field} ${JSON.stringify(before[field])} → ${JSON.stringify(rule[field])}`)
      if (isDone) server.say(`${would}change: ${rule.name}: ${shown.join(', ')}`)
    }
  }
  tellSum(server, applied)
  return applied
}

/** The fields in which a rule differs from the file. */
function differing(rule: Named, before: Readonly<Record<string, unknown>>): string[] {
  // The server keeps what a rule waits for in order.
  const said: Readonly<Record<string, unknown>> = Array.isArray(rule.on) ? { ...rule, on: rule.on.toSorted() } : rule
  const fields = Object.keys(said).filter((field) => !(FIXED as readonly string[]).includes(field))
  return fields.filter((field) => !isDeepStrictEqual(said[field], before[field]))
}

async function rulesByName(server: Server): Promise<Map<string, Readonly<Record<string, unknown>>>> {
  const rules = await listAll(server, '/api/quality/rules', 'rules')
  return new Map(rules.map((rule) => [String(rule.name), rule]))
}
