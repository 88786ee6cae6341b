/** Measurement, labels and field of a line. `labels` has no prototype, so that any key is allowed. */
export interface TagParts {
  readonly measurement: string
  readonly labels: Readonly<Record<string, string>>
  readonly field: string
}

/** The usual name of a single field. It is left out of names. */
const PLAIN_FIELD = 'value'

/**
 * The one name of a field of a series: `measurement.field{key=value,…}`, labels in the order of their keys' UTF-8 bytes. The
 * field `value` is left out where the measurement has no dot. No two series share a name: backslashes, dots in fields,
 * opening braces, and in labels all of `{},=` have a backslash before them.
 */
export function tagNameOf(measurement: string, labels: Readonly<Record<string, string>>, field: string): string {
  const head = measurement.replaceAll(/[\\{]/g, '\\$&')
  const plain = field === PLAIN_FIELD && !measurement.includes('.')
  const name = plain ? head : `${head}.${field.replaceAll(/[\\{.]/g, '\\$&')}`
  const keys = Object.keys(labels).sort(byBytes)
  if (keys.length === 0) return name
  return `${name}{${keys.map((key) => `${escapedLabel(key)}=${escapedLabel(labels[key] as string)}`).join(',')}}`
}

/** The parts that `tagNameOf` has made a name of. A name that it can't have made is a measurement with one field. */
export function readTagName(name: string): TagParts {
  const [head, body] = cut(name, '{')
  const labels = body === undefined ? emptyLabels() : readLabels(body)
  if (labels === undefined) return { measurement: name, labels: emptyLabels(), field: PLAIN_FIELD }
  const parts = split(head, '.')
  const field = parts.length === 1 ? PLAIN_FIELD : unescaped(parts.pop() as string)
  return { measurement: unescaped(parts.join('.')), labels, field }
}

/** A record that takes any key, `__proto__` too. */
export function emptyLabels(): Record<string, string> {
  return Object.create(null)
}

function readLabels(body: string): Record<string, string> | undefined {
  const [inside, after] = cut(body, '}')
  if (after !== '') return undefined
  const labels = emptyLabels()
  for (const pair of split(inside, ',')) {
    const [key, value] = cut(pair, '=')
    if (value === undefined) return undefined
    labels[unescaped(key)] = unescaped(value)
  }
  return labels
}

/** Splits the text at the first divider without a backslash before it. */
function cut(text: string, divider: string): [string, string | undefined] {
  const [first, ...rest] = split(text, divider)
  return [first as string, rest.length === 0 ? undefined : rest.join(divider)]
}

function split(text: string, divider: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === divider) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

function escapedLabel(text: string): string {
  return text.replaceAll(/[\\{},=]/g, '\\$&')
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gsu, '$1')
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
