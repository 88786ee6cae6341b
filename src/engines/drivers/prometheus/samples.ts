import type { Stream, StreamColumn, StreamValue } from '../index.ts'
import { timestampText } from '../machines/records.ts'

/** One series of an answer: its labels, and samples as `[seconds, text]`. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly values?: readonly (readonly [number, string])[]
}

const NAME_LABEL = '__name__'
const COLUMNS: readonly StreamColumn[] = [
  { name: 'time', type: 'timestamptz', nullable: false },
  { name: 'value', type: 'double', nullable: false }
]

/** The labels that are columns, which the name of the metric is not. */
export const ownLabels = (labels: readonly string[]): string[] => labels.filter((label) => label !== NAME_LABEL)

/** Samples with the same time differ by their labels. */
export function toStream(name: string, labels: readonly string[]): Stream {
  const taken = new Set(COLUMNS.map((column) => column.name))
  const names = labels.map((label) => (taken.has(label) ? `${label} (label)` : label))
  return {
    name,
    kind: 'series',
    isReadable: true,
    columns: [...COLUMNS, ...names.map((label): StreamColumn => ({ name: label, type: 'text', nullable: true }))],
    keys: ['time', ...names],
    cursors: ['time']
  }
}

/** The values of columns, in the order of time, of all samples from one moment to another. */
export function toValues(
  series: readonly Series[],
  labels: readonly string[],
  fromMs: number,
  toMs: number
): StreamValue[][] {
  const samples: { readonly ms: number; readonly value: number; readonly of: Series }[] = []
  for (const of of series) {
    for (const [seconds, text] of of.values ?? []) {
      const ms = Math.round(seconds * 1000)
      if (ms >= fromMs && ms <= toMs) samples.push({ ms, value: toNumber(text), of })
    }
  }
  samples.sort((a, b) => a.ms - b.ms)
  return [
    samples.map(({ ms }) => timestampText(ms)),
    samples.map(({ value }) => value),
    ...labels.map((label) => samples.map(({ of }) => of.metric[label] ?? null))
  ]
}

function toNumber(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text)
}

/** A metric in PromQL, whatever its name. */
export const selectorOf = (name: string): string =>
  `{${NAME_LABEL}="${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"}`
