/** `$name`, `${name}`, `${name:format}`, `${name.field}` and `[[name:format]]`, which is how old dashboards have it. */
const MENTION = /\$(\w+)|\$\{(\w{1,64})(?:\.([^:^}]{1,100}))?(?::([^}]{1,100}))?\}|\[\[(\w{1,64}?)(?::(\w{1,20}))?\]\]/g

/** A variable that a text speaks of. */
export interface Mention {
  readonly name: string
  /** How its values are to be written: `csv`, `regex`; empty where nothing is said. */
  readonly format: string
  readonly field: string
  readonly start: number
  readonly end: number
}

export function mentionsIn(text: string): Mention[] {
  return Array.from(text.matchAll(MENTION), (found) => ({
    name: (found[1] ?? found[2] ?? found[5]) as string,
    format: found[4] ?? found[6] ?? '',
    field: found[3] ?? '',
    start: found.index,
    end: found.index + found[0].length
  }))
}

/** The text with the mentions put as `$name`, the only way of ours; what is not known, or would run into the next word, stays. */
export function inOurWay(text: string, known: { has(name: string): boolean }): { text: string; unknown: string[] } {
  const unknown: string[] = []
  let ours = ''
  let from = 0
  for (const { name, start, end } of mentionsIn(text)) {
    const isClear = !/\w/.test(text.charAt(end))
    if (!known.has(name) || !isClear) unknown.push(text.slice(start, end))
    ours += text.slice(from, start) + (known.has(name) && isClear ? `$${name}` : text.slice(start, end))
    from = end
  }
  return { text: ours + text.slice(from), unknown: unknown.filter((each) => !/^\$\d/.test(each)) }
}
