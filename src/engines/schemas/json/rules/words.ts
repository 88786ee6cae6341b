const MAX_CHARS = 80

/** A value in a sentence, cut where it is long. */
export function show(value: unknown): string {
  const text = Array.isArray(value)
    ? value.map((each) => JSON.stringify(each)).join(', ')
    : (JSON.stringify(value) ?? 'none')
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text
}

/** The name at the end of a path. */
export function nameIn(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return show(name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Where in a schema, for sentences. */
export function at(path: string): string {
  return path === '' ? 'at the top of the schema' : `at ${path}`
}

export function plural(count: unknown, word: string): string {
  return `${count} ${count === 1 ? word.replace(/ies$/, 'y').replace(/s$/, '') : word}`
}

/** The bound at the end of a path, in words; bounds that exclude themselves are texts such as `> 5`. */
export function range(difference: { readonly path: string }, bound: unknown): string {
  if (bound === undefined) return 'without a limit'
  if (typeof bound === 'string') return bound
  return `${difference.path.endsWith('minimum') ? 'from' : 'up to'} ${bound}`
}
