import { type Mention, mentionsIn } from '../mentions.ts'
import { entryOf } from '../reading.ts'
import { quoted } from './tokens.ts'
import { requireVariable, type SqlVariables, Untranslatable } from './values.ts'

const SECONDS = '$interval_seconds'

/** The whole text is one of these: what is known of the time that is shown. */
const BUILT_IN: Readonly<Record<string, string>> = {
  __interval: `to_seconds(${SECONDS})`,
  __rate_interval: `to_seconds(${SECONDS})`
}

/** An expression that gives what a text with variables in it says, its values bound and never pasted. */
export function textExpression(said: string, variables: SqlVariables): string {
  const mentions = mentionsIn(said)
  const [only] = mentions
  if (mentions.length === 1 && only !== undefined && only.end - only.start === said.length) {
    const whole = wholeText(only)
    if (whole !== undefined) return whole
  }
  const parts: string[] = []
  let from = 0
  for (const mention of mentions) {
    if (mention.start > from) parts.push(quoted(said.slice(from, mention.start)))
    parts.push(valueWithin(mention, variables))
    from = mention.end
  }
  if (from < said.length) parts.push(quoted(said.slice(from)))
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' || ')})`
}

function wholeText({ name, format }: Mention): string | undefined {
  const builtIn = entryOf(BUILT_IN, name)
  if (builtIn !== undefined) return builtIn
  const isDate = format === 'date' || format === 'date:iso'
  return isDate && (name === '__from' || name === '__to') ? `$${name.slice(2)}` : undefined
}

/** One value in the middle of a text. Several can only stand there where the format says how they are put together. */
function valueWithin({ name, format, field }: Mention, variables: SqlVariables): string {
  if (name.startsWith('__')) throw new Untranslatable(`it has $${name} within a text`)
  if (field !== '') throw new Untranslatable(`it uses $${name}.${field}, and values have no fields here`)
  const { multiple } = requireVariable(variables, name)
  if (format === 'regex') {
    if (!multiple) return `regexp_escape($${name})`
    // In brackets: `~` before it would take only the first piece.
    return `('(' || array_to_string(list_transform($${name}, lambda each: regexp_escape(each)), '|') || ')')`
  }
  if (multiple && format === 'pipe') return `array_to_string($${name}, '|')`
  if (multiple && format === 'csv') return `array_to_string($${name}, ',')`
  if (multiple) throw new Untranslatable(`$${name} can have several values, which can’t stand within a text`)
  if (['', 'raw', 'text', 'pipe', 'csv', 'glob'].includes(format)) return `$${name}`
  throw new Untranslatable(`it uses $${name} in the format ${format}`)
}

/** The variable that a text consists of, and nothing else. */
export function onlyVariable(said: string, variables: SqlVariables): string | undefined {
  const [mention, ...more] = mentionsIn(said)
  if (mention === undefined || more.length > 0 || mention.field !== '') return undefined
  const isWhole = mention.start === 0 && mention.end === said.length
  return isWhole && variables.has(mention.name) ? mention.name : undefined
}
