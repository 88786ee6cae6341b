import { tagNameOf } from '../../../../engines/series/parse/tag-name.ts'
import { mentionsIn } from '../mentions.ts'

/** What a series has to have to be shown. */
export interface Condition {
  readonly key: string
  readonly operator: string
  readonly value: string
  /** Whether it is put to the one before with OR. */
  readonly isOr: boolean
}

const MAX_CONDITIONS = 3
const MAX_ALTERNATIVES = 20

/**
 * Patterns that match the names of all series with these labels and no others. A label may have others before, between
 * and behind it, so each place there is once with and once without them.
 */
export function tagPatterns(
  measurement: string,
  field: string,
  conditions: readonly Condition[],
  variables: { has(name: string): boolean }
): { tags: string[] } | { problem: string } {
  if (field === '' || field === '*' || measurement.startsWith('/')) {
    return { problem: 'it selects by a pattern, which is not understood here' }
  }
  const head = headOf(measurement, field, variables)
  if (head === undefined) return { problem: 'its measurement or field has a variable that could not be taken' }
  const labels: { key: string; values: readonly string[] }[] = []
  for (const { key, operator, value, isOr } of conditions) {
    const values = isOr || key === '' || value === '' ? undefined : valuesOf(operator, value, variables)
    if (values === undefined) return { problem: `its condition ${key} ${operator} ${value} is not understood here` }
    if (values !== 'any') labels.push({ key, values })
  }
  if (labels.length > MAX_CONDITIONS) return { problem: `it has more than ${MAX_CONDITIONS} conditions` }
  if (labels.length === 0) return { tags: [head, `${head}{*}`] }
  if (new Set(labels.map(({ key }) => key)).size < labels.length)
    return { problem: 'it has two conditions for one tag' }
  labels.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)))
  const inside = [...placed(labels, false), ...placed(labels, true)]
  return { tags: inside.map((each) => `${head}{${each}}`) }
}

/** The lists of labels from here on, each `key=value`; `others` says whether there are labels before the first. */
function placed(labels: readonly { key: string; values: readonly string[] }[], others: boolean): string[] {
  const [label, ...rest] = labels
  if (label === undefined) return others ? ['*'] : ['']
  const behind = [...placed(rest, false), ...placed(rest, true)]
  return label.values.flatMap((value) =>
    behind.map((each) => `${others ? '*,' : ''}${pairOf(label.key, value)}${each === '' ? '' : `,${each}`}`)
  )
}

/** Names are written with a backslash before what divides them; brackets keep wildcards from being taken for such. */
function headOf(measurement: string, field: string, variables: { has(name: string): boolean }): string | undefined {
  const known = [measurement, field].every((text) => mentionsIn(text).every(({ name }) => variables.has(name)))
  if (!known) return undefined
  return literal(tagNameOf(plainMentions(measurement), {}, plainMentions(field)))
}

const pairOf = (key: string, value: string): string => {
  const name = tagNameOf('m', { [key]: value }, 'value')
  return literal(name.slice('m{'.length, -1))
}

const literal = (text: string): string => text.replaceAll(/[*?[]/g, '[$&]')

/** `$name` for any way of mentioning a variable. */
function plainMentions(text: string): string {
  let plain = text
  for (const { name, start, end } of mentionsIn(text).reverse())
    plain = `${plain.slice(0, start)}$${name}${plain.slice(end)}`
  return plain
}

/** The values that a condition allows; undefined where that can't be listed. */
function valuesOf(
  operator: string,
  value: string,
  variables: { has(name: string): boolean }
): readonly string[] | 'any' | undefined {
  if (!mentionsIn(value).every(({ name }) => variables.has(name))) return undefined
  if (operator === '=') return mentionsIn(value).length > 0 ? whole(value) : [value]
  if (operator !== '=~') return undefined
  const [, pattern] = /^\/\^?(.*?)\$?\/$/s.exec(value) ?? []
  const isExact = /^\/\^.*\$\/$/s.test(value)
  if (pattern === '.*' || pattern === '') return 'any'
  if (pattern === undefined || !isExact) return undefined
  const inner = /^\(\?:(.*)\)$|^\((.*)\)$/s.exec(pattern)
  const alternatives = (inner?.[1] ?? inner?.[2] ?? pattern).split('|')
  if (alternatives.length > MAX_ALTERNATIVES) return undefined
  if (alternatives.length === 1 && mentionsIn(alternatives[0] as string).length > 0)
    return whole(alternatives[0] as string)
  return alternatives.every((each) => /^[\p{L}\p{N}_ :/-]+$/u.test(each)) ? alternatives : undefined
}

/** A value that is one variable and nothing else. */
function whole(text: string): readonly string[] | undefined {
  const [mention, ...more] = mentionsIn(text)
  if (mention === undefined || more.length > 0) return undefined
  return mention.start === 0 && mention.end === text.length ? [`$${mention.name}`] : undefined
}
