import { type Fields, isObject, listOf, objectOf, objectsOf, shortened, textOf } from './reading.ts'
import type { Notes } from './report.ts'

/** What can be chosen, and what people read of it. */
export type Values = readonly { readonly value: string; readonly label: string }[]

const MAX_VALUES = 1000
/** A file can repeat the same value as often as it likes. */
const MAX_LOOKED_AT = 10_000
const MAX_VALUE_CHARS = 1000
const MAX_LABEL_CHARS = 200
const ALL = '$__all'

/** What an exported file says for names such as `${VAR_PLANT}`, by the whole of it. */
export function inputValues(dashboard: Fields): Map<string, string> {
  const constants = objectsOf(dashboard.__inputs).filter(({ type }) => textOf(type) === 'constant')
  return new Map(constants.map(({ name, value }) => [`\${${textOf(name)}}`, textOf(value)]))
}

/** The values that a variable lists: `a,b`, `Label : a`, JSON, or its kept options where there is no such text. */
export function listedValues(variable: Fields, notes: Notes): Values {
  const query = textOf(variable.query)
  const isJson = textOf(variable.valuesFormat) === 'json'
  const listed = isJson ? fromJson(query) : fromText(query)
  if (variable.auto === true) notes.add('There is no width that fits by itself among its values.')
  return listed.length === 0 ? keptValues(variable, notes) : bounded(listed, notes)
}

function fromJson(text: string): Values {
  try {
    return listOf(JSON.parse(text)).map((each) => {
      if (!isObject(each)) return { value: textOf(each), label: '' }
      return { value: textOf(each.value), label: textOf(each.text) }
    })
  } catch {
    return []
  }
}

/** Commas divide; one with a backslash before it does not. */
function fromText(text: string): Values {
  const parts = text.matchAll(/(?:\\,|[^,])+/g).take(MAX_LOOKED_AT)
  return Array.from(parts, ([part]) => {
    const plain = part.replaceAll('\\,', ',').trim()
    const [, label, value] = /^(\S.*?) : (.+)$/s.exec(shortened(plain, MAX_VALUE_CHARS)) ?? []
    return value === undefined ? { value: plain, label: '' } : { value: value.trim(), label: label as string }
  })
}

/** The values that Grafana had when the file was made. */
export function keptValues(variable: Fields, notes: Notes): Values {
  const kept = objectsOf(variable.options).map(({ value, text }) => ({ value: textOf(value), label: textOf(text) }))
  if (kept.length > 0) return bounded(kept, notes)
  return bounded(
    currentValues(variable).map((value) => ({ value, label: '' })),
    notes
  )
}

function bounded(values: Values, notes: Notes): Values {
  const byValue = new Map<string, { value: string; label: string }>()
  for (const { value, label } of values) {
    const isOurs = value !== '' && value !== ALL && !value.startsWith('$__auto')
    if (!isOurs) continue
    const cut = notes.cut(value, MAX_VALUE_CHARS, 'A value')
    if (!byValue.has(cut)) byValue.set(cut, { value: cut, label: shortened(label, MAX_LABEL_CHARS) })
  }
  if (byValue.size > MAX_VALUES) notes.add(`Only the first ${MAX_VALUES} of its values are taken.`)
  return [...byValue.values()].slice(0, MAX_VALUES)
}

function currentValues(variable: Fields): string[] {
  const { value } = objectOf(variable.current)
  return (Array.isArray(value) ? value : [value]).map(textOf).filter((each) => each !== '')
}

/** What is chosen at first, of the values where they are known. */
export function chosenAtFirst(variable: Fields, multiple: boolean, values: Values | undefined): string[] {
  const current = currentValues(variable)
  if (current.includes(ALL)) return multiple && values !== undefined ? values.map(({ value }) => value) : []
  const possible = current.filter((value) => value.length <= MAX_VALUE_CHARS && !value.startsWith('$__'))
  const known = values === undefined ? possible : possible.filter((each) => values.some(({ value }) => value === each))
  return [...new Set(known)].slice(0, multiple ? MAX_VALUES : 1)
}
