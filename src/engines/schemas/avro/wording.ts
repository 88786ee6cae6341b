const MAX_LIST = 10

/** The place a path is about, for sentences: `field customer.tags[]`, or `the top level`. */
export function where(path: string): string {
  const tokens = path.split('/').slice(1)
  let place = ''
  let isType = true
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? ''
    const next = tokens[at + 1]
    if (token === 'fields' && isType) {
      if (next === undefined) break
      place += place === '' ? next : `.${next}`
      at++
      isType = false
    } else if (!isType && token === 'type') isType = true
    else if (!isType) break
    else if (token === 'items') place += '[]'
    else if (token === 'values') place += '{}'
  }
  if (place === '') return 'the top level'
  return /^[[{]/.test(place) ? `the top level ${place}` : `field ${place}`
}

/** The place within a sentence: `in field customer.age`. */
export function at(path: string): string {
  const place = where(path)
  return place.startsWith('field ') ? `in ${place}` : `at ${place}`
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function lastToken(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
}

/** A value within a sentence. */
export function said(value: unknown): string {
  return value === undefined ? 'not there' : JSON.stringify(value)
}

export function listed(values: unknown): string {
  const list = Array.isArray(values) ? values.map(String) : [String(values)]
  return list.length > MAX_LIST
    ? `${list.slice(0, MAX_LIST).join(', ')} and ${list.length - MAX_LIST} more`
    : list.join(', ')
}
