import type { Difference } from '../format.ts'
import type { Words } from '../rules.ts'

const MAX_CHARS = 80

/** What the words in sentences of rules stand for. */
export const words = {
  before: ({ before }) => String(before),
  after: ({ after }) => String(after),
  at: ({ path }) => (path === '' ? 'at the top of the schema' : `at ${path}`),
  name: ({ path }) => nameIn(path),
  'value before': ({ before }) => show(before),
  'value after': ({ after }) => show(after),
  'range before': ({ path, before }) => range(path, before),
  'range after': ({ path, after }) => range(path, after),
  'below or above': ({ path }) => (path.endsWith('minimum') ? 'below' : 'above'),
  'multiples before': ({ before }) => (before === undefined ? '' : `, which asks for multiples of ${before}`),
  'multiples after': ({ after }) => (after === undefined ? 'no multiples' : `multiples of ${after}`),
  'limit of items': ({ path, after }) => limit(path.endsWith('minItems'), plural(after, 'items')),
  'limit of properties': ({ path, after }) => limit(path.endsWith('minProperties'), plural(after, 'properties')),
  'limit of contained': ({ path, after }) => limit(path.endsWith('minContains'), show(after)),
  'limit of characters': ({ path, after }) =>
    `${path.endsWith('minLength') ? 'shorter' : 'longer'} than ${plural(after, 'characters')}`,
  'form before': ({ before }) => formOfItems(before === 'tuple'),
  'form after': ({ before }) => formOfItems(before !== 'tuple')
} satisfies Words

/** A value in a sentence, cut where it is long. */
function show(value: unknown): string {
  const text = Array.isArray(value)
    ? value.map((each) => JSON.stringify(each)).join(', ')
    : (JSON.stringify(value) ?? 'none')
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text
}

/** The name at the end of a path. */
function nameIn(path: Difference['path']): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return show(name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function plural(count: unknown, word: string): string {
  return `${count} ${count === 1 ? word.replace(/ies$/, 'y').replace(/s$/, '') : word}`
}

/** The bound at the end of a path; bounds that exclude themselves are texts such as `> 5`. */
function range(path: Difference['path'], bound: unknown): string {
  if (bound === undefined) return 'without a limit'
  if (typeof bound === 'string') return bound
  return `${path.endsWith('minimum') ? 'from' : 'up to'} ${bound}`
}

function limit(isLower: boolean, count: string): string {
  return `${isLower ? 'fewer' : 'more'} than ${count}`
}

function formOfItems(isByPosition: boolean): string {
  return isByPosition ? 'by position' : 'all alike'
}
