/** `unit price` → `unit_price`: what may stand for a name in Protobuf. */
export function identifier(text: string): string {
  const name = text.replace(/[^A-Za-z0-9_]/g, '_')
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`
}

/** `unit_price` → `UnitPrice`. */
export function pascalCase(text: string): string {
  const name = identifier(text).replace(/(?:^|_+)([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase())
  return /^[A-Za-z]/.test(name) ? name : `T${name}`
}

/** `UnitPrice` → `unit_price`. */
export function snakeCase(text: string): string {
  return identifier(text.replace(/([a-z0-9])([A-Z])/g, '$1_$2')).toLowerCase()
}

/** A name that is not taken yet, and takes it. */
export function unique(name: string, taken: Set<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`
  taken.add(free)
  return free
}

export function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

/** The part of a full name that can be a package; undefined where there is none. */
export function packageOf(name: string): string | undefined {
  const end = name.lastIndexOf('.')
  const parts = end === -1 ? [] : name.slice(0, end).split('.')
  return parts.length > 0 && parts.every((part) => /^[A-Za-z_]\w*$/.test(part)) ? parts.join('.') : undefined
}
