import { own, type SchemaNode } from '../../model.ts'
import { makePattern } from '../make-pattern.ts'
import { FORMATS, textForName, word } from './formats.ts'
import { between, deadEnd, type Making, pick, type Spot } from './making.ts'
import { readPattern } from './pattern.ts'
import { textOf } from './pattern-text.ts'

const ATTEMPTS = 80
const MAX_LENGTH = 100_000

interface Limits {
  readonly least: number
  readonly most: number
  readonly patterns: readonly { readonly node: SchemaNode; readonly text: string; readonly test: RegExp }[]
  readonly formats: readonly SchemaNode[]
}

export function makeString(nodes: readonly SchemaNode[], making: Making, spot: Spot): string {
  const limits = limitsOf(nodes, making)
  const parsed = limits.patterns.map(({ text }) => readPattern(text)).filter((pattern) => pattern !== undefined)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    making.effort.spend()
    // Attempts with few repetitions, with some, and with as many as the length needs.
    const extra = [2, 0, 8, Math.max(limits.least, 20)][attempt % 4] as number
    const made =
      parsed.length > 0
        ? textOf(pick(making.random, parsed), making.random, extra)
        : plainText(nodes, limits, making, spot)
    const text = [made, fit(made, limits, 'x', true), fit(made, limits, 'x', false)].find((each) =>
      isGood(each, limits, making)
    )
    if (text !== undefined) return text
  }
  const culprit = limits.patterns[0]?.node ?? limits.formats[0] ?? nodes[0]
  throw deadEnd(
    making,
    culprit,
    limits.patterns.length > 0 ? 'pattern' : limits.formats.length > 0 ? 'format' : 'minLength'
  )
}

function limitsOf(nodes: readonly SchemaNode[], making: Making): Limits {
  let [least, most] = [0, Infinity]
  const patterns: { node: SchemaNode; text: string; test: RegExp }[] = []
  for (const node of nodes) {
    least = Math.max(least, Number(own(node, 'minLength') ?? 0))
    most = Math.min(most, Number(own(node, 'maxLength') ?? Infinity))
    const pattern = own(node, 'pattern')
    if (typeof pattern === 'string') patterns.push({ node, text: pattern, test: makePattern(pattern) })
    if (least > most || least > MAX_LENGTH) throw deadEnd(making, node, least > most ? 'maxLength' : 'minLength')
  }
  const formats = nodes.filter((node) => typeof own(node, 'format') === 'string')
  return { least, most, patterns, formats }
}

function plainText(nodes: readonly SchemaNode[], limits: Limits, making: Making, spot: Spot): string {
  const format = limits.formats
    .map((node) => FORMATS.get(own(node, 'format') as string))
    .find((make) => make !== undefined)
  if (format !== undefined) return format(making.random)
  if (nodes.some((node) => own(node, 'contentEncoding') === 'base64')) {
    const bytes = Math.max(
      Math.ceil((limits.least * 3) / 4),
      Math.min(between(making.random, 3, 12), (limits.most * 3) / 4)
    )
    const text = Buffer.from(Array.from({ length: bytes }, () => between(making.random, 0, 255))).toString('base64')
    if (text.length <= limits.most) return text
  }
  const named = textForName(spot.name, making.random)
  if (isLong(named, limits)) return named
  const text = word(making.random)
  return isLong(text, limits) ? text : (fit(text, limits, word(making.random), true) ?? '')
}

/** Longer or shorter, so that the length is right. */
function fit(text: string | undefined, { least, most }: Limits, filler: string, atEnd: boolean): string | undefined {
  if (text === undefined) return undefined
  const chars = [...text]
  if (chars.length > most) return chars.slice(0, most).join('')
  const missing = least - chars.length
  if (missing <= 0) return undefined
  const added = filler.repeat(Math.ceil(missing / filler.length)).slice(0, missing)
  return atEnd ? text + added : added + text
}

function isLong(text: string, { least, most }: Limits): boolean {
  const { length } = [...text]
  return length >= least && length <= most
}

function isGood(text: string | undefined, limits: Limits, making: Making): boolean {
  if (text === undefined || !isLong(text, limits)) return false
  if (!limits.patterns.every(({ test }) => test.test(text))) return false
  return limits.formats.every((node) => making.validator.fitsNode(node, text))
}
