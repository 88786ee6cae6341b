import { isDeepStrictEqual } from 'node:util'
import { Trouble } from '../command.ts'
import type { FileRule } from './read-rules.ts'

interface Server {
  /** The address of the server. */
  readonly base: string
  readonly token: string
  /** Whether nothing is to be changed. */
  readonly isDry: boolean
  say(line: string): void
}

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of the API
  readonly body: any
}

export interface Applied {
  made: number
  changed: number
  same: number
  refused: number
}

const PAGE = 1000
const FIXED = ['dataset', 'type'] as const

/** Makes and changes rules by their names, one after the other; one that is refused holds up none of the others. */
export async function applyRules(server: Server, rules: readonly FileRule[]): Promise<Applied> {
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
  const { made, changed, same, refused } = applied
  const told = `${made} made, ${changed} changed, ${same} as they are, ${refused} refused`
  server.say(server.isDry ? `dry run, nothing was done: ${told}` : told)
  return applied
}

/** The fields in which a rule differs from the file. */
function differing(rule: FileRule, before: Readonly<Record<string, unknown>>): string[] {
  // The server keeps what a rule waits for in order.
  const said: Readonly<Record<string, unknown>> = Array.isArray(rule.on) ? { ...rule, on: rule.on.toSorted() } : rule
  const fields = Object.keys(said).filter((field) => !(FIXED as readonly string[]).includes(field))
  return fields.filter((field) => !isDeepStrictEqual(said[field], before[field]))
}

async function rulesByName(server: Server): Promise<Map<string, Readonly<Record<string, unknown>>>> {
  const found = new Map<string, Readonly<Record<string, unknown>>>()
  let cursor = ''
  do {
    const { status, body } = await call(server, 'GET', `/api/quality/rules?limit=${PAGE}${cursor}`)
    if (status !== 200)
      throw new Trouble(`${server.base} answers ${status}: ${body?.detail ?? 'no rules can be listed'}`)
    for (const rule of body.rules) found.set(rule.name, rule)
    cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`
  } while (cursor !== '')
  return found
}

/** Whether the server has taken it; in a dry run, nothing is sent. */
async function send(server: Server, method: string, path: string, rule: object): Promise<boolean> {
  if (server.isDry) return true
  const { status, body } = await call(server, method, path, rule)
  if (status < 300) return true
  const errors = (body?.errors ?? []) as { pointer: string; message: string }[]
  const faults = errors.map(({ pointer, message }) => `${pointer} ${message}`)
  const { name } = rule as FileRule
  server.say(`refused: ${name}: ${faults.length > 0 ? faults.join('; ') : (body?.detail ?? status)}`)
  return false
}

async function call({ base, token }: Server, method: string, path: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
  try {
    const response = await fetch(new URL(path, base), {
      method,
      headers,
      redirect: 'error',
      ...(body && { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : undefined }
  } catch (error) {
    throw new Trouble(`${base} does not answer: ${(error as Error).message}. Is the server running there?`)
  }
}
