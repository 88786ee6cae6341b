import type { Effort } from '../../effort.ts'
import type { SchemaFault } from '../../fault.ts'
import type { EnumModel, MessageModel, Option, Range } from '../model.ts'
import type { FileNode, NameNode, OptionNode, RangeNode } from '../syntax/nodes.ts'
import type { Scopes } from './declarations.ts'
import type { Resolver } from './resolver.ts'
import type { Scope } from './scopes.ts'

/** What is at hand while the nodes of one file become its model. */
export interface Context {
  readonly file: FileNode
  readonly scopes: Scopes
  readonly resolver: Resolver
  readonly effort: Effort
  /** Where the finished types of all files go. */
  readonly types: Map<string, MessageModel | EnumModel>
  /** The extensions there are, by message and number. */
  readonly extensions: Map<string, string>
  /** Messages of all files, for those who extend them. */
  readonly extendable: ReadonlyMap<string, readonly Range[]>
}

export function scopeOf(context: Context, node: Parameters<Scopes['get']>[0]): Scope {
  return context.scopes.get(node) as Scope
}

export function fault(context: Context, message: string, at: number): SchemaFault {
  return context.file.source.fault(message, at)
}

export function localNameOf(context: Context, fullName: string): string {
  const { packageName } = context.file
  return packageName === '' ? fullName : fullName.slice(packageName.length + 1)
}

/** By name; those of one name stay in their order, since they are a list. */
export function optionsOf(nodes: readonly OptionNode[]): readonly Option[] {
  if (nodes.length === 0) return NO_OPTIONS
  return nodes.map(({ name, value }) => ({ name, value })).sort((a, b) => compareText(a.name, b.name))
}
const NO_OPTIONS: readonly Option[] = []

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The plain or text value of an option of this name. */
export function plainOption(nodes: readonly OptionNode[], name: string): string | undefined {
  const value = nodes.find((option) => option.name === name)?.value
  return value?.kind === 'plain' || value?.kind === 'string' ? value.value : undefined
}

export function refuseTwice(context: Context, nodes: readonly OptionNode[], names: readonly string[]): void {
  if (nodes.length < 2) return
  for (const name of names) {
    const second = nodes.filter((option) => option.name === name)[1]
    if (second !== undefined) throw fault(context, `The option ${name} is there twice; leave one`, second.at)
  }
}

/** In order, with those that touch or overlap as one. */
export function mergeRanges(nodes: readonly RangeNode[]): readonly Range[] {
  const ranges: { from: number; to: number }[] = []
  for (const { from, to } of [...nodes].sort((a, b) => a.from - b.from)) {
    const last = ranges.at(-1)
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to)
    else ranges.push({ from, to })
  }
  return ranges
}

/** The same, but refuses those that overlap. */
export function rangesOf(context: Context, nodes: readonly RangeNode[]): readonly Range[] {
  let last = Number.NEGATIVE_INFINITY
  for (const { from, to, at } of [...nodes].sort((one, other) => one.from - other.from)) {
    if (from <= last) throw fault(context, `The number ${from} is in two ranges; leave one`, at)
    last = to
  }
  return mergeRanges(nodes)
}

export function isIn(ranges: readonly Range[], number: number): boolean {
  let low = 0
  let high = ranges.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const range = ranges[middle] as Range
    if (number < range.from) high = middle - 1
    else if (number > range.to) low = middle + 1
    else return true
  }
  return false
}

export function reservedNamesOf(context: Context, nodes: readonly NameNode[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { name, at } of nodes) {
    if (names.has(name)) throw fault(context, `The name ${name} is reserved twice; leave one`, at)
    names.add(name)
  }
  return names
}
