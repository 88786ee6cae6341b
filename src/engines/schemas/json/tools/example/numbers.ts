import { own, type SchemaNode } from '../../model.ts'
import { between, deadEnd, type Making } from './making.ts'

const SPAN = 100
const MAX_DECIMALS = 9
const FRACTION_DIGITS = 2

/** A number within all bounds that all divisors divide. */
export function makeNumber(nodes: readonly SchemaNode[], isInteger: boolean, making: Making): number {
  const least = boundOf(nodes, 'minimum', 'exclusiveMinimum', 1)
  const most = boundOf(nodes, 'maximum', 'exclusiveMaximum', -1)
  const step = stepOf(nodes, isInteger)
  const from = least?.value ?? (most === undefined ? 0 : most.value - SPAN * Math.max(1, step ?? 1))
  const to = most?.value ?? from + SPAN * Math.max(1, step ?? 1)
  if (step === undefined) return fraction(from, to, least, most, making)
  let first = Math.ceil(from / step - 1e-9)
  let last = Math.floor(to / step + 1e-9)
  if (least?.isExclusive && tidy(first * step) <= least.value) first++
  if (most?.isExclusive && tidy(last * step) >= most.value) last--
  if (first > last) throw deadEnd(making, (least ?? most)?.node ?? nodes[0], least?.keyword ?? most?.keyword)
  return tidy(between(making.random, first, Math.min(last, first + SPAN)) * step)
}

interface Bound {
  readonly value: number
  readonly isExclusive: boolean
  readonly node: SchemaNode
  readonly keyword: string
}

/** The narrowest; `direction` is 1 for lower and -1 for upper bounds. */
function boundOf(nodes: readonly SchemaNode[], inclusive: string, exclusive: string, direction: 1 | -1) {
  let narrowest: Bound | undefined
  for (const node of nodes) {
    for (const keyword of [inclusive, exclusive]) {
      const value = own(node, keyword)
      if (typeof value !== 'number') continue
      const isExclusive = keyword === exclusive
      const gain = narrowest === undefined ? 1 : (value - narrowest.value) * direction
      if (gain > 0 || (gain === 0 && isExclusive)) narrowest = { value, isExclusive, node, keyword }
    }
  }
  return narrowest
}

/** The least common multiple of all divisors; undefined where any number will do. */
function stepOf(nodes: readonly SchemaNode[], isInteger: boolean): number | undefined {
  const steps = nodes.map((node) => own(node, 'multipleOf')).filter((step) => typeof step === 'number')
  if (isInteger) steps.push(1)
  const [first, ...others] = steps
  return first === undefined ? undefined : others.reduce(leastCommonMultiple, first)
}

function leastCommonMultiple(one: number, other: number): number {
  const scale = 10 ** Math.max(decimalsOf(one), decimalsOf(other))
  const [a, b] = [Math.round(one * scale), Math.round(other * scale)]
  let [divisor, rest] = [a, b]
  while (rest !== 0) [divisor, rest] = [rest, divisor % rest]
  return (a / divisor) * (b / scale)
}

function decimalsOf(value: number): number {
  let decimals = 0
  while (decimals < MAX_DECIMALS && !Number.isInteger(tidy(value * 10 ** decimals))) decimals++
  return decimals
}

/** Without what is left over of counting in twos. */
function tidy(value: number): number {
  return Number(value.toPrecision(15))
}

function fraction(from: number, to: number, least: Bound | undefined, most: Bound | undefined, making: Making): number {
  const isInside = (value: number) =>
    (least?.isExclusive ? value > from : value >= from) && (most?.isExclusive ? value < to : value <= to)
  const [low, high] = [from, Math.min(to, from + SPAN)]
  const exact = low + making.random() * (high - low)
  const short = Number(exact.toFixed(FRACTION_DIGITS))
  const found = [short, exact, (low + high) / 2, to].find(isInside)
  if (found === undefined) throw deadEnd(making, (least ?? most)?.node, (least ?? most)?.keyword)
  return found
}
