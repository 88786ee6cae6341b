import type { Effort } from '../../fault.ts'
import type { Difference, Rule } from '../../format.ts'
import { printOptions } from '../canonical.ts'
import type {
  EnumModel,
  EnumValueModel,
  FieldModel,
  FileModel,
  MessageModel,
  Option,
  ProtobufModel,
  ServiceModel
} from '../model.ts'
import { RULES } from '../rules.ts'
import { compareField, compareMessage, compareReserved, describe } from './compare-message.ts'

export function differences(written: ProtobufModel, read: ProtobufModel, effort: Effort): Difference[] {
  const comparison = new Comparison(written, read, effort)
  const [before, after] = [written.file, read.file]
  if (before.packageName !== after.packageName) {
    comparison.add(RULES.package_changed, '/package', before.packageName, after.packageName)
  }
  if (before.syntax !== after.syntax) comparison.add(RULES.syntax_changed, '/syntax', before.syntax, after.syntax)
  comparison.compareOptions('', before.options, after.options)
  compareTypesWithin(comparison, before, after)
  compareServices(comparison, before.services, after.services)
  // What is only imported, as far as fields refer to it.
  for (let next = comparison.next(); next !== undefined; next = comparison.next()) compareMessage(comparison, ...next)
  return comparison.found
}

function compareServices(
  comparison: Comparison,
  written: readonly ServiceModel[],
  read: readonly ServiceModel[]
): void {
  const [before, after] = [written, read].map(
    (services) => new Map(services.map((service) => [service.name, methodsOf(service)]))
  ) as [Map<string, string[]>, Map<string, string[]>]
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(name), after.get(name)]
    if (old?.join() !== now?.join()) comparison.add(RULES.service_changed, `/services/${name}`, old, now)
  }
}

function methodsOf({ methods }: ServiceModel): string[] {
  const texts = methods.map(({ name, input, output, isInputStream, isOutputStream }) => {
    return `${name}(${isInputStream ? 'stream ' : ''}${input}) → ${isOutputStream ? 'stream ' : ''}${output}`
  })
  return texts.sort()
}

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

type Holder = FileModel | MessageModel

/** The types that a file or a message holds, by their names. */
export function compareTypesWithin(comparison: Comparison, written: Holder, read: Holder): void {
  const isPackageSame = comparison.written.file.packageName === comparison.read.file.packageName
  const alone = (type: { readonly fullName: string; readonly localName: string }) =>
    `/${isPackageSame ? type.fullName : type.localName}`
  const messages = pair(written.messages, read.messages)
  for (const { before, after, beforeIndex, afterIndex } of messages) {
    if (before !== undefined && after !== undefined) {
      compareMessage(comparison, before, after)
      if (beforeIndex !== afterIndex)
        comparison.add(RULES.message_moved, pathOf(before, after), beforeIndex, afterIndex)
    } else if (before !== undefined) comparison.add(RULES.message_removed, alone(before), before.localName)
    else if (after !== undefined) comparison.add(RULES.message_added, alone(after), undefined, after.localName)
  }
  for (const { before, after } of pair(written.enums, read.enums)) {
    if (before !== undefined && after !== undefined) compareEnum(comparison, before, after)
    else if (before !== undefined) comparison.add(RULES.enum_removed, alone(before), before.localName)
    else if (after !== undefined) comparison.add(RULES.enum_added, alone(after), undefined, after.localName)
  }
  compareExtensions(comparison, written.extensions, read.extensions)
}

interface Pair<T> {
  readonly before?: T
  readonly after?: T
  readonly beforeIndex?: number
  readonly afterIndex?: number
}

function pair<T extends { readonly name: string }>(written: readonly T[], read: readonly T[]): Pair<T>[] {
  if (written.length === 0 && read.length === 0) return []
  const pairs = new Map<string, Pair<T>>(written.map((before, beforeIndex) => [before.name, { before, beforeIndex }]))
  read.forEach((after, afterIndex) => void pairs.set(after.name, { ...pairs.get(after.name), after, afterIndex }))
  return [...pairs.values()]
}

function compareExtensions(comparison: Comparison, written: readonly FieldModel[], read: readonly FieldModel[]): void {
  if (written.length === 0 && read.length === 0) return
  const keyOf = ({ extendee, number }: FieldModel) => `/${extendee}/${number}`
  const after = new Map(read.map((field) => [keyOf(field), field]))
  for (const field of written) {
    const path = keyOf(field)
    const same = after.get(path)
    after.delete(path)
    if (same === undefined) comparison.add(RULES.field_removed, path, describe(field))
    else compareField(comparison, path, field, same)
  }
  for (const [path, field] of after) comparison.add(RULES.field_added, path, undefined, describe(field))
}

function compareEnum(comparison: Comparison, written: EnumModel, read: EnumModel): void {
  const path = pathOf(written, read)
  const [before, after] = [byNumber(written), byNumber(read)]
  if (written.isOpen !== read.isOpen) comparison.add(read.isOpen ? RULES.enum_opened : RULES.enum_closed, path)
  for (const [number, values] of before) {
    comparison.effort.spend()
    const at = `${path}/${number}`
    const same = after.get(number)
    const names = namesOf(values)
    if (same === undefined) comparison.add(RULES.enum_value_removed, at, names)
    else if (names !== namesOf(same)) comparison.add(RULES.enum_value_renamed, at, names, namesOf(same))
    else values.forEach((value, index) => void comparison.compareOptions(at, value.options, same[index]?.options ?? []))
  }
  for (const [number, values] of after) {
    if (!before.has(number)) comparison.add(RULES.enum_value_added, `${path}/${number}`, undefined, namesOf(values))
  }
  compareReserved(comparison, path, written, read)
  comparison.compareOptions(path, written.options, read.options)
}

/** Several with aliases. */
function byNumber({ values }: EnumModel): ReadonlyMap<number, EnumValueModel[]> {
  const found = new Map<number, EnumValueModel[]>()
  for (const value of values) {
    const same = found.get(value.number)
    if (same === undefined) found.set(value.number, [value])
    else same.push(value)
  }
  return found
}

function namesOf(values: readonly EnumValueModel[]): string {
  return values.map(({ name }) => name).join(' = ')
}
