import type { Effort } from '../../effort.ts'
import type { Difference, Rule } from '../../format.ts'
import { printOptions } from '../canonical/print-options.ts'
import type { EnumModel, MessageModel, Option, ProtobufModel } from '../model.ts'
import { RULES } from '../rules.ts'

const MAX_SHOWN_CHARS = 200
const MAX_SHOWN = 20

/** What two schemas are being compared for, and what came of it so far. */
export class Comparison {
  readonly written: ProtobufModel
  readonly read: ProtobufModel
  readonly effort: Effort
  readonly found: Difference[] = []
  readonly #seen = new Set<string>()
  readonly #left: (readonly [MessageModel, MessageModel])[] = []

  constructor(written: ProtobufModel, read: ProtobufModel, effort: Effort) {
    this.written = written
    this.read = read
    this.effort = effort
  }

  add(rule: Rule, path: string, before?: unknown, after?: unknown): void {
    this.effort.spend()
    this.found.push({
      rule,
      path,
      ...(before === undefined ? {} : { before: cut(before) }),
      ...(after === undefined ? {} : { after: cut(after) })
    })
  }

  /** Whether this pair is new; messages refer to each other in circles. */
  enter(written: MessageModel, read: MessageModel): boolean {
    const pair = `${written.fullName} ${read.fullName}`
    if (this.#seen.has(pair)) return false
    this.#seen.add(pair)
    return true
  }

  /** Has messages that a field refers to compared later on, so that nothing goes deep. */
  later(written: string, read: string): void {
    const pair = [this.written.types.get(written), this.read.types.get(read)] as const
    if (pair[0]?.kind === 'message' && pair[1]?.kind === 'message')
      this.#left.push(pair as [MessageModel, MessageModel])
  }

  next(): readonly [MessageModel, MessageModel] | undefined {
    return this.#left.pop()
  }

  compareOptions(path: string, written: readonly Option[], read: readonly Option[]): void {
    if (written.length === 0 && read.length === 0) return
    const [before, after] = [written, read].map((options) => printOptions(options, SEEN_ELSEWHERE)) as [
      string[],
      string[]
    ]
    if (before.join('\n') !== after.join('\n')) this.add(RULES.options_changed, path, before, after)
  }
}

/** Options that change data have rules of their own. */
const SEEN_ELSEWHERE: ReadonlySet<string> = new Set(['default', 'json_name', 'packed'])

/** The same from both sides: where the packages differ, names are without them. */
export function pathOf(written: MessageModel | EnumModel, read: MessageModel | EnumModel): string {
  return `/${written.fullName === read.fullName ? read.fullName : read.localName}`
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_SHOWN_CHARS ? `${value.slice(0, MAX_SHOWN_CHARS)}…` : value
  if (!Array.isArray(value)) return value
  const shown = value.slice(0, MAX_SHOWN).map(cut)
  return value.length > MAX_SHOWN ? [...shown, '…'] : shown
}
