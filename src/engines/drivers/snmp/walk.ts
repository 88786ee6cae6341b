import type { Varbind } from 'net-snmp'
import { SourceError } from '../errors.ts'
import { below, compareOids } from './oids.ts'
import type { Agent } from './session.ts'
import { isEnd } from './values.ts'

/** What one walk gives at the most: an agent can go on for ever. */
const MAX_STEPS = 1_000_000

/** Names below a prefix that are still to come. */
interface Column {
  readonly prefix: string
  last: string
  queue: Varbind[]
  isOver: boolean
}

/** A row of a table: its index, and for each column its value, or undefined where it has none. */
export interface Row {
  readonly index: string
  readonly cells: readonly (Varbind | undefined)[]
}

/** The rows of a table whose columns are below these prefixes, in the order of their index. Columns may have gaps. */
export async function* walkRows(agent: Pick<Agent, 'next'>, prefixes: readonly string[]): AsyncGenerator<Row> {
  const columns = prefixes.map((prefix): Column => ({ prefix, last: prefix, queue: [], isOver: false }))
  for (let rows = 0; ; rows++) {
    if (rows === MAX_STEPS) throw tooMany()
    await fill(agent, columns)
    const indexes = columns.flatMap(({ queue: [head], prefix }) => (head && below(head.oid, prefix)) ?? [])
    const [first, ...others] = indexes
    if (first === undefined) return
    const index = others.reduce((least, other) => (compareOids(other, least) < 0 ? other : least), first)
    const cells = columns.map((column) => (headIndex(column) === index ? column.queue.shift() : undefined))
    yield { index, cells }
  }
}

const headIndex = ({ queue: [head], prefix }: Column) => head && below(head.oid, prefix)

/** Asks until each column has a value ready or is over. */
async function fill(agent: Pick<Agent, 'next'>, columns: readonly Column[]): Promise<void> {
  for (;;) {
    const empty = columns.filter(({ queue, isOver }) => queue.length === 0 && !isOver)
    if (empty.length === 0) return
    const answers = await agent.next(empty.map(({ last }) => last))
    if (answers.length === 0) throw new SourceError('unavailable', 'The agent answered nothing at all; try again')
    for (const [at, found] of answers.entries()) take(empty[at] as Column, found)
  }
}

function take(column: Column, found: readonly Varbind[]): void {
  for (const varbind of found) {
    if (isEnd(varbind) || below(varbind.oid, column.prefix) === undefined) {
      column.isOver = true
      return
    }
    if (compareOids(varbind.oid, column.last) <= 0)
      throw new SourceError('unavailable', 'The agent answers names out of order, and a walk would never end')
    column.queue.push(varbind)
    column.last = varbind.oid
  }
}

function tooMany(): SourceError {
  return new SourceError('bad_request', `There is more than ${MAX_STEPS} below it; name a smaller part`)
}
