import { isPattern, parseTextPattern } from '../../data/glob.ts'

/** Names of labels, each with the value that it must have, or with a pattern of it. */
export type Matchers = Readonly<Record<string, string>>
export type LabelSet = Readonly<Record<string, string>>

/** A label that is lacking is the empty text. Names come from anywhere, `constructor` included. */
export const labelOf = (labels: LabelSet, name: string): string =>
  Object.hasOwn(labels, name) ? (labels[name] as string) : ''

/** Whether labels have all values that are wanted. A value is always matched by itself, also where it looks like a pattern. */
export function matcherOf(matchers: Matchers): (labels: LabelSet) => boolean {
  const wanted = Object.entries(matchers).map(([name, text]) => ({ name, matches: valueMatcher(text) }))
  return (labels) => wanted.every(({ name, matches }) => matches(labelOf(labels, name)))
}

function valueMatcher(text: string): (value: string) => boolean {
  if (!isPattern(text)) return (value) => value === text
  const pattern = parseTextPattern(text)
  return (value) => value === text || pattern.matches(value)
}
